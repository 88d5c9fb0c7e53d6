/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: a post → a later wait.
 * 
 * The worker stores behind its post.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int buffer[100];
static pthread_t thread;
static void *store(void *unused)
{
    sem_post(&ready);
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
        sem_wait(&ready);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
