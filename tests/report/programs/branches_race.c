/* The receive of rank 0 is completed on one of two ways only: on the other the store comes too early. */
#include <mpi.h>
#include <stdlib.h>
static double halo[8];
static void receive(MPI_Request *request)
{
    MPI_Irecv(halo, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, request);
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        receive(&request);
        int early = argc > 1;
        if (early)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        halo[0] = 1;
        if (!early)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(halo, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
