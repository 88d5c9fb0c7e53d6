/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5, cells load/get and store/get.
 *
 * Rank 1 only loads: two reads never conflict.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int result = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
    } else {
        seen = mem[0];
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
