/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8 (One mistake, one finding): bytes that are buffer and target of one operation are
 * reported once, as target.
 *
 * Another buffer, and the operation is over when the store comes.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, other[2] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(other, 2, MPI_LONG, rank, 0, 2, MPI_LONG, MPI_SUM, win); /* A */
    MPI_Win_flush(rank, win);
    memory[0] = value; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
