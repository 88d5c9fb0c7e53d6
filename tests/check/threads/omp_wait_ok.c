/* expect: none */
/* A single construct of a parallel region completes the operation. */
#include <mpi.h>
static double edge[128];
static MPI_Request request;
volatile double seen;
int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Irecv(edge, 128, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
#pragma omp parallel
    {
#pragma omp single
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    seen = edge[0];
    MPI_Finalize();
    return 0;
}
