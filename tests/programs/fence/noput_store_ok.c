/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: MPI_MODE_NOPUT promises no remote writes; the owner's stores still conflict with
 * gets.
 *
 * Rank 1 stores into another element.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seen = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE, win);
    if (rank == 0)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    else
        mem[1] = 1;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
