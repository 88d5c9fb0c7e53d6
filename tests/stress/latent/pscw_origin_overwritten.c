/* ranks: 2 */
/* The origin of a put is reused before MPI_Win_complete. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Group all, other;
    int peer = 1 - rank, value = 3;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    MPI_Win_post(other, 0, win);
    MPI_Win_start(other, 0, win);
    MPI_Put(&value, 1, MPI_INT, peer, 2, 1, MPI_INT, win);
    BUG(value = 4);
    MPI_Win_complete(win);
    REPAIR(value = 4);
    MPI_Win_wait(win);
    EXPECT(window[2] == 3);
    EXPECT(value == 4);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    return end_window();
}
