/* ranks: 2 */
/* A get after the wait for an MPI_Raccumulate: the accumulate need not have arrived, and gets are not ordered with it. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int six = 6, seen = 0;
        MPI_Request request;
        MPI_Raccumulate(&six, 1, MPI_INT, 1, 4, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Get(&seen, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        EXPECT(seen == 6);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
