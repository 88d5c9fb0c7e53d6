/* ranks: 2 */
/* One variable is the origin of all puts of a loop: each put may be made with the last value. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value;
        for (int i = 0; i < 8; i++) {
            value = i * i;
            MPI_Put(&value, 1, MPI_INT, 1, i, 1, MPI_INT, win);
            REPAIR(MPI_Win_flush_local(1, win));
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(rank != 1 || window[3] == 9);
    return end_window();
}
