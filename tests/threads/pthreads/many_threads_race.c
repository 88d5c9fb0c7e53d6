/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-race A B */
/*
 * semantics §5 between threads: a store of one, a send by another.
 *
 * 200 threads at a time, each of which stores to a word of its own; all are alive until the main
 * thread lets them go by a barrier. One of them stores once more behind it, which nothing orders
 * with the send.
 */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 200, ODD = 150 };

static int words[THREADS];
static pthread_barrier_t barrier;

static void *store(void *context)
{
    int i = (int)(size_t)context;
    words[i] = i;
    pthread_barrier_wait(&barrier);
    if (i == ODD)
        words[i] = -1; /* A */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, got[THREADS];
    pthread_t threads[THREADS];
    pthread_attr_t small;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_barrier_init(&barrier, NULL, THREADS + 1);
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 256 << 10);
        for (int i = 0; i < THREADS; i++)
            if (pthread_create(&threads[i], &small, store, (void *)(size_t)i) != 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
        pthread_barrier_wait(&barrier);
        MPI_Send(words, THREADS, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    } else {
        MPI_Recv(got, THREADS, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
