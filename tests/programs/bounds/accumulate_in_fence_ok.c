/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Out of the window): the kind of epoch does not matter, nor does whether the
 * operation is complete.
 *
 * Two elements fit.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[16] = {0}, value[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(memory + 4, 4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(value, 2, MPI_LONG, 1, 2, 2, MPI_LONG, MPI_SUM, win); /* A */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
