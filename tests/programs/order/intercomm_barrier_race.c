/* ranks: 4 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §8: a barrier on an intercommunicator orders the other group before me, nothing within a group.
 *
 * The get is by a rank of the same group.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0;
    MPI_Comm half, inter;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &inter);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 3, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(3, win);
    }
    MPI_Barrier(inter);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 3, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
