/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: with a unit of 8 bytes displacement 1 is byte 8.
 *
 * The owner stores int number 1, at byte 4.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, rank == 1 ? 8 : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* A */
    else
        mem[1] = 2;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
