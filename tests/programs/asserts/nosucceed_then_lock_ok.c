/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8, promises of fences: MPI_MODE_NOSUCCEED says that no operation follows in an epoch of fences. Other epochs may.
 *
 * The operation has an epoch of locks.
 */
#include <mpi.h>

static _Alignas(64) int memory[4];

int main(int argc, char **argv)
{
    int rank, value = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
