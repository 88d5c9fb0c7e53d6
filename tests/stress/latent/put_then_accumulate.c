/* ranks: 2 */
/* A put and an accumulate to one location, in the hope that they take effect in program order (the fourth program of
 * the Nasty-MPI paper). */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int base = 100, more = 11;
        MPI_Put(&base, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Accumulate(&more, 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(rank != 1 || window[3] == 111);
    return end_window();
}
