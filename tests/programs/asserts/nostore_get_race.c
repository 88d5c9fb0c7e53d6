/* ranks: 2 */
/* needs: run */
/* expect: usage A B */
/*
 * semantics §8 (Promises of fences): gets whose result goes into the window count as stores.
 *
 * The result goes into the window.
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
    MPI_Win_fence(0, win);
    MPI_Get(memory + 1, 1, MPI_LONG, 1 - rank, 0, 1, MPI_LONG, win); /* A */
    MPI_Win_fence(MPI_MODE_NOSTORE, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
