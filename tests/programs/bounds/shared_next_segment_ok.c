/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Out of the window): the segments of a shared window lie one behind the other, and
 * each is a target of its own.
 *
 * The same memory, named as it should be.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *mine, value = 1;
    MPI_Win win;
    MPI_Win_allocate_shared(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win); /* A */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
