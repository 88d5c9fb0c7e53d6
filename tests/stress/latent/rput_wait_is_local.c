/* ranks: 2 */
/* Waiting for the request of MPI_Rput makes its buffer free, not its data arrive. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 8;
        MPI_Request request;
        MPI_Rput(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        REPAIR(MPI_Win_flush(1, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int seen = 0;
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        EXPECT(seen == 8);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return end_window();
}
