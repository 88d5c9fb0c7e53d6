/* The calls that end epochs of other kinds: a fence for all, MPI_Win_complete for gets. Puts into an exposure epoch are over at the target's
 * MPI_Win_wait, which the origin does not know. */
/* expect: remote-race 25 28 */
/* expect: remote-race 37 32 */
/* expect: remote-race 38 33 */
/* says: the put completes at rank 0's MPI_Win_fence (text_completed_by_epochs.c:29) */
/* says: the get completes at rank 0's MPI_Win_complete (text_completed_by_epochs.c:39) */
/* says: the put of rank 0 is over at the target's MPI_Win_wait; */
/* checks: compiled in */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, got = 0, both[2] = {0, 1};
    MPI_Win win;
    MPI_Group all, to, from;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &both[1], &to);
    MPI_Group_incl(all, 1, &both[0], &from);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    if (rank == 1)
        memory[0] = 2;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 1) {
        MPI_Win_post(from, 0, win);
        memory[0] = 3;
        memory[1] = 3;
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(to, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
