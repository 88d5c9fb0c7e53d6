/* expect-sources: local-race A B */
/* One of the ways out of the function leaves the send under way, and its array behind. */
#include <mpi.h>

static int start(int early, MPI_Request *request)
{
    int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, request); /* A */
    if (early) {
        return 1; /* B */
    }
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv)
{
    int rank, row[4], started = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        started = start(argc > 1, &request);
    else if (rank == 1)
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (started)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
