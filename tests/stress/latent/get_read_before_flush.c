/* ranks: 2 */
/* The result of a get is used before the get is complete. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    window[0] = 10 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int got = 0, doubled;
    MPI_Get(&got, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    REPAIR(MPI_Win_flush(rank, win));
    doubled = 2 * got;
    MPI_Win_unlock_all(win);
    printf("rank %d: %d\n", rank, doubled);
    EXPECT(doubled == 2 * (10 + rank));
    return end_window();
}
