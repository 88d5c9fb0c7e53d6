/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5 between threads: the origin buffer of a put, and a store of another thread.
 * 
 * The other thread is made after the flush.
 */
#include <mpi.h>
#include <pthread.h>
static int buffer[100];
static pthread_t thread;
volatile int seen;
static void *store(void *unused)
{
    buffer[3] = 1;
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof buffer, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(buffer, 100, MPI_INT, 1, 0, 100, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_create(&thread, NULL, store, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
