/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §2 and §3: Win_complete frees the origin buffers, and comes before the target's wait. Here the buffer of
 * a get is window memory, into which the target of the get puts.
 *
 * It puts after the wait.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, peer;
    int value = 1, other = 1 - rank;
    MPI_Win win, view;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &view);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Get(&mem[1], 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, view);
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, view); /* B */
        MPI_Win_unlock(0, view);
    }
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
    MPI_Win_free(&view);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
