/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §5 between threads: two receives into one buffer.
 * 
 * The two threads take turns under a mutex, and copy what they got before they give it away.
 */
#include <mpi.h>
#include <pthread.h>
static int buffer[100];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
volatile int seen;
static void *receive(void *unused)
{
    pthread_mutex_lock(&mutex);
    MPI_Recv(buffer, 100, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        pthread_create(&thread, NULL, receive, NULL);
        pthread_mutex_lock(&mutex);
        MPI_Recv(buffer, 100, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(buffer, 100, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(buffer, 100, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
