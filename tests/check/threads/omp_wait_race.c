/* expect: local-race A B */
/* A single construct of a parallel region completes the operation. */
#include <mpi.h>
static double edge[128];
static MPI_Request request;
volatile double seen;
int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Irecv(edge, 128, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    seen = edge[0]; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
