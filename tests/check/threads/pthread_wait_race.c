/* expect: local-race A B */
/* A thread that is handed a function may complete the operation: nothing is known from then on. */
#include <mpi.h>
#include <pthread.h>
static double edge[128];
static MPI_Request request;
volatile double seen;
static void *progress(void *unused)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}
int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Irecv(edge, 128, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    seen = edge[0]; /* B */
    pthread_create(&thread, NULL, progress, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
