/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * Each level waits for its own send behind the recursion.
 */
#include <mpi.h>

static void start(int level, MPI_Request *reqs)
{
    int row[4] = {level, level, level, level};
    MPI_Isend(row, 4, MPI_INT, 1, level, MPI_COMM_WORLD, &reqs[level]); /* A */
    if (level > 0)
        start(level - 1, reqs);
    MPI_Wait(&reqs[level], MPI_STATUS_IGNORE);
} /* B */

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Request reqs[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(3, reqs);
    else
        for (int level = 0; level < 4; level++)
            MPI_Recv(row, 4, MPI_INT, 0, level, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(4, reqs, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
