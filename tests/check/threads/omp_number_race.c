/* expect: local-race A B */
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
    MPI_Irecv(edge, 128, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
#pragma omp parallel
    {
        seen = edge[omp_get_thread_num()]; /* B */
        if (omp_get_thread_num() == 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
