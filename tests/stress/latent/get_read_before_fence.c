/* ranks: 2 */
/* The result of a get is used before the closing fence. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    window[1] = 20 + rank;
    int got[2] = {0, 0}, sum;
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_INT, rank, 0, 2, MPI_INT, win);
    REPAIR(MPI_Win_fence(0, win));
    sum = got[0] + got[1];
    MPI_Win_fence(0, win);
    printf("rank %d: %d\n", rank, sum);
    EXPECT(sum == 20 + rank);
    return end_window();
}
