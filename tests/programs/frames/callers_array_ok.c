/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The array is in the frame of the caller, which stays; the callee returns while the send is under way.
 */
#include <mpi.h>

static void start(const int *row, MPI_Request *req)
{
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank, row[4] = {1, 2, 3, 4};
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(row, &req);
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
