/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8 (Promises of fences): MPI_MODE_NOSTORE denies stores to the window since the last
 * synchronisation.
 *
 * The store goes elsewhere.
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
    if (rank == 0)
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    other[1] = rank; /* A */
    MPI_Win_fence(MPI_MODE_NOSTORE, win); /* B */
    MPI_Win_fence(0, win);
    value += memory[1] + other[1];
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
