/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: the displacement counts in the target's unit, here 4 bytes, whatever the origin's
 * own unit is.
 *
 * Rank 1's int at displacement 1 is the neighbour of rank 0's; in the origins' units of 1 byte
 * they would overlap.
 */
#include <mpi.h>

static _Alignas(64) char mem[32];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value[2] = {rank, rank};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, rank == 2 ? 4 : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 1, MPI_INT, 2, 2, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(value, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
