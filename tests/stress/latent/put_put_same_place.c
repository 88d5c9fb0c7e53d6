/* ranks: 2 */
/* Two puts to one location in one epoch: the later one need not win. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    if (rank == 0) {
        int first = 1, second = 2;
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&first, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Put(&second, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(rank != 1 || window[0] == 2);
    return end_window();
}
