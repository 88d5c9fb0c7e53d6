/* ranks: 2 */
/* A put into a shared-memory window, read by a load after a barrier that completes nothing. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_allocate_shared(COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    memset(window, 0, COUNT * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 21;
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_sync(win);
        int seen = *(volatile int *)window;
        printf("seen %d\n", seen);
        EXPECT(seen == 21);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return end_window();
}
