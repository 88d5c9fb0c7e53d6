/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §5 between threads: memory from the heap.
 * 
 * The worker stores to memory that the main thread sends.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int *given;
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *store(void *unused)
{
    int *block = given;
    block[5] = 1; /* A */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        given = malloc(400);
        pthread_create(&thread, NULL, store, NULL);
        int *block = given;
        for (int i = 0; i < 100; i += 3)
            block[i] = 0;
        MPI_Send(block, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_join(thread, NULL);
        free(block);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
