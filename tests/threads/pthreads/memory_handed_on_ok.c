/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5 between threads: memory from the heap.
 * 
 * The worker frees what it has stored to; the main thread may get the same block for its own message.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *store(void *unused)
{
    int *block = malloc(400);
    block[5] = 1;
    seen = block[5];
    free(block);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        usleep(100000);
        int *block = malloc(400);
        for (int i = 0; i < 100; i += 3)
            block[i] = 0;
        MPI_Send(block, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
        free(block);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
