/* ranks: 2 */
/* A barrier stands where a fence should: it completes nothing. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    int value = 60 + rank, seen;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    BUG(MPI_Barrier(MPI_COMM_WORLD));
    REPAIR(MPI_Win_fence(0, win));
    seen = *(volatile int *)&window[0];
    MPI_Win_fence(0, win);
    printf("rank %d: %d\n", rank, seen);
    EXPECT(seen == 61 - rank);
    return end_window();
}
