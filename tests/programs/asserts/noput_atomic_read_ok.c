/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Promises of fences): an atomic read is no update.
 *
 * It reads the value.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, other[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPUT, win); /* A */
    if (rank == 0)
        MPI_Fetch_and_op(&value, other, MPI_LONG, 1, 0, MPI_NO_OP, win); /* B */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
