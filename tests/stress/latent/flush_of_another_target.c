/* ranks: 3 */
/* The flush names another target than the put. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 9;
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        BUG(MPI_Win_flush(1, win));
        REPAIR(MPI_Win_flush(2, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int seen = 0;
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        EXPECT(seen == 9);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return end_window();
}
