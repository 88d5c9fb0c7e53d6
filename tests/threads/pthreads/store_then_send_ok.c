/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5 between threads: a store of one, a send by another.
 * 
 * The thread that stores is joined before the send.
 */
#include <mpi.h>
#include <pthread.h>
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *store(void *unused)
{
    for (int i = 0; i < 100; i++)
        buffer[i] = i;
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        pthread_join(thread, NULL);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
