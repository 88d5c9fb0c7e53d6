/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Where MPI_Win_sync may stand): in a passive-target epoch.
 *
 * The lock is gone.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0};
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_sync(win); /* A */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
