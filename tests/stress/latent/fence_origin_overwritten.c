/* ranks: 2 */
/* The origin of a put is set for the next round before the fence. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    int value = 1;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    REPAIR(MPI_Win_fence(0, win));
    value = 2;
    MPI_Win_fence(0, win);
    EXPECT(window[0] == 1);
    EXPECT(value == 2);
    return end_window();
}
