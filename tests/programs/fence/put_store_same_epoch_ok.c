/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3, Win_fence: the closing fence completes the put and orders it with what follows.
 *
 * Rank 1 stores after the closing fence.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    MPI_Win_fence(0, win);
    if (rank == 1)
        mem[0] = 2;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
