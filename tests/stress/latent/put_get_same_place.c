/* ranks: 2 */
/* A get in the epoch of a put to the same place, to read it back. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    if (rank == 0) {
        int value = 5, back = 0;
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Get(&back, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        EXPECT(back == 5);
    }
    return end_window();
}
