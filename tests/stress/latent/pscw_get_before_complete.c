/* ranks: 2 */
/* The result of a get is used before MPI_Win_complete. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Group all, other;
    int peer = rank, got = 0, used;
    window[0] = 5 + rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    MPI_Win_post(other, 0, win);
    MPI_Win_start(other, 0, win);
    MPI_Get(&got, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    BUG(used = got);
    MPI_Win_complete(win);
    REPAIR(used = got);
    MPI_Win_wait(win);
    printf("rank %d: %d\n", rank, used);
    EXPECT(used == 5 + rank);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    return end_window();
}
