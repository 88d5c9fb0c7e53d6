/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Out of the window): a request does not change it.
 *
 * Four longs do not fit behind the first.
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
    MPI_Request request;
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rput(value, 4, MPI_LONG, 1, 1, 4, MPI_LONG, win, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
