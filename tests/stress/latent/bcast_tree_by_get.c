/* ranks: 4 */
/* latent: openmpi */
/* A broadcast down a binary tree that polls its parent by MPI_Get and takes it for a blocking call: nothing ever
 * completes the get (the first program of the Nasty-MPI paper). */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    int value = 0, one = 7;
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value = one;
    }
    while (rank != 0 && value == 0) {
        MPI_Get(&value, 1, MPI_INT, (rank - 1) / 2, 0, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush((rank - 1) / 2, win));
    }
    if (rank != 0) {
        MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
        MPI_Win_flush(rank, win);
    }
    EXPECT(value == 7);
    MPI_Win_unlock_all(win);
    return end_window();
}
