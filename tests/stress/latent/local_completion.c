/* ranks: 2 */
/* Local completion is taken for remote completion (the third program of the Nasty-MPI paper). */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 42, seen = 0;
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        BUG(MPI_Win_flush_local(1, win));
        REPAIR(MPI_Win_flush(1, win));
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        EXPECT(seen == 42);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
