/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §2: Win_complete frees the origin; the put is done at the target when the target's
 * wait says so.
 *
 * Rank 1 tells rank 2 after its Win_wait.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, peer;
    int value = 1, seen = 0, other = 1 - rank;
    MPI_Win view;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &view);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Group_incl(world, 1, &other, &peer);
        MPI_Win_start(peer, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_complete(win);
        MPI_Group_free(&peer);
    } else if (rank == 1) {
        MPI_Group_incl(world, 1, &other, &peer);
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Group_free(&peer);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, view);
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, view); /* B */
        MPI_Win_unlock(1, view);
    }
    MPI_Group_free(&world);
    MPI_Win_free(&view);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
