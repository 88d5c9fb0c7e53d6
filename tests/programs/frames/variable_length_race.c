/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * An array whose length is known only at run time is given back like any other.
 */
#include <mpi.h>

static void start(int n, MPI_Request *req)
{
    int row[n];
    for (int i = 0; i < n; i++)
        row[i] = i;
    MPI_Isend(row, n, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank, row[8];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(7 + argc, &req);
    else
        MPI_Recv(row, 7 + argc, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
