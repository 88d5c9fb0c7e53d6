/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Out of the window): bytes are exact: the gap behind the last block of a vector is
 * not touched, though it belongs to the extent.
 *
 * Two blocks end with the window; only the extent is longer.
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
    MPI_Datatype pairs, spaced;
    MPI_Type_vector(2, 1, 2, MPI_LONG, &pairs);
    MPI_Type_create_resized(pairs, 0, 8 * sizeof(long), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 2, MPI_LONG, 1, 1, 1, spaced, win); /* A */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&pairs);
    MPI_Type_free(&spaced);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
