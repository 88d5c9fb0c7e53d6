/* A function returns early, but not before it has cancelled the receive that it has posted. */
#include <mpi.h>

static int receive(int rank)
{
    int value = 0;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return 0;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return value;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = receive(rank);
    MPI_Finalize();
    return value;
}
