/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: all who come to a barrier → all who leave it.
 * 
 * The worker stores before the barrier, the main thread sends behind it.
 */
#include <mpi.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *store(void *unused)
{
    for (int round = 0; round < 3; round++) {
        buffer[7] = round;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&barrier, NULL, 2);
    if (rank == 0)
        pthread_create(&thread, NULL, store, NULL);
    for (int round = 0; round < 3; round++)
        if (rank == 0) {
            pthread_barrier_wait(&barrier);
            MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
            pthread_barrier_wait(&barrier);
        } else {
            MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    if (rank == 0)
        pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
