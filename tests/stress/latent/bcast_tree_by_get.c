/* ranks: 4 */
/* A broadcast down a binary tree that polls its parent by MPI_Get and takes it for a blocking call: nothing ever
 * completes the get (the first program of the Nasty-MPI paper). With MPICH the data come when another call, here the probe for an
 * order to stop, makes progress. The repair is an atomic read and its completion. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    int value = 0, seven = 7, parent = (rank - 1) / 2, stop = 0;
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        value = seven;
    while (value == 0 && !stop) {
        BUG(MPI_Get(&value, 1, MPI_INT, parent, 0, 1, MPI_INT, win));
        REPAIR(MPI_Fetch_and_op(NULL, &value, MPI_INT, parent, 0, MPI_NO_OP, win));
        REPAIR(MPI_Win_flush(parent, win));
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE);
    }
    EXPECT(value == seven);
    MPI_Accumulate(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(rank, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(window[0] == seven);
    return end_window();
}
