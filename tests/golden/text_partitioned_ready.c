/* Partitions are made ready by different calls: the finding names the call and the line of the one that was written. */
/* expect: local-race 20 23 */
/* says: "call": "MPI_Pready_list" */
/* says: what its MPI_Pready_list (MPI_Psend_init) still reads */
/* mpi: mpich */
#include <mpi.h>

enum { PARTITIONS = 4, COUNT = 16 };

int main(int argc, char **argv)
{
    int rank, list[2] = {3, 1}, values[PARTITIONS * COUNT] = {0}, more = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(values, PARTITIONS, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
        MPI_Pready_list(2, list, request);
        MPI_Pready(2, request);
        /* Into partition 1. */
        MPI_Recv(&values[COUNT], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Precv_init(values, PARTITIONS, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Send(&more, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
