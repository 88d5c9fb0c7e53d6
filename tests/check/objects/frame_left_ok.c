/* expect: none */
/* The array that is sent outlives the function that starts the send. */
#include <mpi.h>

static __attribute__((noinline)) void start(int to, MPI_Request *request)
{
    static int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, to, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        start(1, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
