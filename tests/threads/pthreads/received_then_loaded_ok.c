/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5 between threads: a receive of one, loads of another.
 * 
 * The thread that loads is made after the receive.
 */
#include <mpi.h>
#include <pthread.h>
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *load(void *unused)
{
    seen = buffer[50];
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_create(&thread, NULL, load, NULL);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
