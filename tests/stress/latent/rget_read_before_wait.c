/* ranks: 2 */
/* The result of MPI_Rget is used before its request is waited for. The target is the process itself, where the data come at once
 * with Open MPI, and with MPICH as soon as another call makes progress. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    window[5] = 50 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int got = 0, used;
    MPI_Request request;
    MPI_Rget(&got, 1, MPI_INT, rank, 5, 1, MPI_INT, win, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    BUG(used = got);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    REPAIR(used = got);
    MPI_Win_unlock_all(win);
    printf("rank %d: %d\n", rank, used);
    EXPECT(used == 50 + rank);
    return end_window();
}
