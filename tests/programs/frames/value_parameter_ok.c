/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The pointer leads to the caller's variable, which stays.
 */
#include <mpi.h>

static void start(int *value, MPI_Request *req)
{
    MPI_Isend(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(&value, &req);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
