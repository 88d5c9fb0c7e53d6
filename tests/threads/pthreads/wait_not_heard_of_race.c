/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §5 between threads: the worker was made after the receive began, so it knows of that, but not of its end.
 * 
 * It may load before or after the wait.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t received;
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *load(void *unused)
{
    seen = buffer[50]; /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&received, 0, 0);
    if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* A */
        pthread_create(&thread, NULL, load, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sem_post(&received);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
