/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Out of the window): every rank has a size and a displacement unit of its own.
 *
 * Displacement 16 is inside at rank 0, whose unit is one byte, and outside at rank 1, whose unit
 * is 8.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[16] = {0}, value[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(memory + 4, 4 * sizeof(long), rank == 0 ? 1 : (int)sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 1, MPI_LONG, 1, 16, 1, MPI_LONG, win); /* A */
    if (rank == 1) {
        MPI_Put(value, 1, MPI_LONG, 0, 16, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
