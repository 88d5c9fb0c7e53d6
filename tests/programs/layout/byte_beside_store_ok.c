/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a store to one byte does not touch its neighbours in the same word.
 *
 * The put covers bytes 4 and 5.
 */
#include <mpi.h>

static _Alignas(64) char mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char value[2] = {1, 2};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 2, MPI_CHAR, 1, 4, 2, MPI_CHAR, win);
    else
        mem[3] = 7; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
