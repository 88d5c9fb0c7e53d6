/* ranks: 4 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: target ranks are those of the window's communicator, here with reversed order.
 *
 * World rank 1 puts to rank 1 of the window, which is world rank 2.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm reversed;
    MPI_Win win;
    int value = rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, reversed, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
