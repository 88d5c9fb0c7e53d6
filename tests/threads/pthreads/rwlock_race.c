/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: readers of a lock for readers and writers are not ordered with each other.
 * 
 * The worker stores as a reader.
 */
#include <mpi.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int buffer[100];
static pthread_t thread;
static void *store(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    buffer[3] = 2; /* A */
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        pthread_rwlock_rdlock(&lock);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_rwlock_unlock(&lock);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
