/* expect: none */
/* One thread completes, all others come behind a barrier. */
#include <mpi.h>
#include <omp.h>
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
        if (omp_get_thread_num() == 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp barrier
        seen = edge[omp_get_thread_num()];
    }
    MPI_Finalize();
    return 0;
}
