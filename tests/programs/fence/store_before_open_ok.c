/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: the target's opening fence comes before the target-side access of every operation
 * of the epoch, even with MPI_MODE_NOPRECEDE.
 *
 * Rank 1 stores before its opening fence.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seen = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1)
        mem[0] = 2;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
