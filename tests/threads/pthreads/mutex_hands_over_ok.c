/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: an unlock → a later lock of the same mutex.
 * 
 * The worker says under a mutex that it has stored; the main thread waits for that, and only then comes to the barrier.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;
static void *store(void *unused)
{
    memory[0] = 1.0;
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);

    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        pthread_mutex_lock(&mutex);
        while (!done)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        double two = 2.0;
        MPI_Put(&two, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(0, win);
    }
    if (rank == 0)
        pthread_join(thread, NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
