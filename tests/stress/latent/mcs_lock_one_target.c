/* ranks: 2 */
/* Taking an MCS lock announces the new tail at one process and the successor at another, but only one of the two
 * operations is completed before others are told (the second program of the Nasty-MPI paper). */
#include "latent.h"

enum { TAIL, NEXT };

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        int me = 1, before = -1;
        MPI_Accumulate(&me, 1, MPI_INT, 0, NEXT, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Fetch_and_op(&me, &before, MPI_INT, 1, TAIL, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        REPAIR(MPI_Win_flush(0, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        int next = 0, unused = 0;
        MPI_Fetch_and_op(&unused, &next, MPI_INT, 0, NEXT, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        EXPECT(next == 1);
        printf("next is %d\n", next);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return end_window();
}
