/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: post comes before the accesses of the epoch at the target, not before what the
 * origin does elsewhere: start and complete need not wait for post.
 *
 * Rank 0 relies on start and complete to know that rank 1's put before post is over.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static _Alignas(64) int data[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, peer;
    int value = 1, seen = 0, other = 1 - rank;
    MPI_Win side;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &side);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    MPI_Win_lock_all(0, side);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, side); /* B */
    } else {
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, side); /* A */
        MPI_Win_flush(0, side);
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Win_unlock_all(side);
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
    MPI_Win_free(&side);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
