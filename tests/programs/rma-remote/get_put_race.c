/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §5, cells get/get and get/put, between two origins while the target stays passive.
 *
 * One origin reads what the other writes.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Get(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
