/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: a detached thread that has ended is known to nobody.
 * 
 * The store comes long before the send.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t ready;
static int buffer[100];
static pthread_t thread;
static void *store(void *unused)
{
    buffer[3] = 2; /* A */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&ready, 0, 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        pthread_detach(thread);
        usleep(200000);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
