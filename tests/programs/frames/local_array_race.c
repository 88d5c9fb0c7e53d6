/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The array is gone before the send is complete.
 */
#include <mpi.h>

static void start(MPI_Request *req)
{
    int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(&req);
    else
        MPI_Recv((int[4]){0}, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
