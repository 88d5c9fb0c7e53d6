/* ranks: 2 */
/* MPI_Win_sync orders the process's own loads and stores; it completes no operation. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 13;
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        BUG(MPI_Win_sync(win));
        REPAIR(MPI_Win_flush(1, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_sync(win);
        int seen = *(volatile int *)window;
        printf("seen %d\n", seen);
        EXPECT(seen == 13);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return end_window();
}
