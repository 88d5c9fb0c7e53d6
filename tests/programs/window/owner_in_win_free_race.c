/* ranks: 3 */
/* needs: run */
/* expect: remote-race A A */
/*
 * semantics §3: the owner of the memory is already in MPI_Win_free when the others put, and learns of it when the window
 * is gone. What happened to it before still counts.
 *
 * Two shared locks exclude nobody.
 */
#include <mpi.h>
#include <unistd.h>

static int mem;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(&mem, sizeof mem, sizeof mem, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank > 0) {
        usleep(300000);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
