/* Memory is given back while MPI still sends out of it: that is no store, and free is told by its name. */
/* expect: local-race 18 19 */
/* says: "kind": "free" */
/* says: free by rank 0 gives back what its MPI_Isend still reads */
/* says: complete the MPI_Isend before the free. */
/* says-not: "kind": "store" */
/* checks: compiled in */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, *values = calloc(100, sizeof *values);
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(values, 100, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        free(values);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(values, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        free(values);
    }
    MPI_Finalize();
    return 0;
}
