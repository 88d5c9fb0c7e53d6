/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The function returns a value, and its frame is gone.
 */
#include <mpi.h>

static void finish(MPI_Request *req)
{
    MPI_Wait(req, MPI_STATUS_IGNORE);
}

static int start(MPI_Request *req)
{
    int row[4] = {1, 2, 3, 4};
    int error = MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
    return error != MPI_SUCCESS; /* B */
}

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && start(&req))
        return 1;
    if (rank == 1)
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    finish(&req);
    MPI_Finalize();
    return 0;
}
