/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Out of the window): the target bytes of a put must lie in the memory that the
 * target shows.
 *
 * The second of two longs is behind the end of the window.
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
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 2, MPI_LONG, 1, 3, 2, MPI_LONG, win); /* A */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
