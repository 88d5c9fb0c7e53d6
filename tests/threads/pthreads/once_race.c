/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: what pthread_once calls → all who return from it.
 * 
 * The worker stores again behind it.
 */
#include <mpi.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int buffer[100];
static pthread_t thread;
static void fill(void)
{
    buffer[3] = 1;
}

static void *store(void *unused)
{
    pthread_once(&once, fill);
    buffer[3] = 2; /* A */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        pthread_once(&once, fill);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
