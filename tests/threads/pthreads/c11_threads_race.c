/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: threads, mutexes and conditions of C11.
 * 
 * The worker stores behind its unlock.
 */
#include <mpi.h>
#include <pthread.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int done;
static thrd_t thread;
static int buffer[100];
static int store(void *unused)
{
    mtx_lock(&mutex);
    done = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    buffer[3] = 2; /* A */
    return unused != NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    if (rank == 0) {
        thrd_create(&thread, store, NULL);
        mtx_lock(&mutex);
        while (!done)
            cnd_wait(&changed, &mutex);
        mtx_unlock(&mutex);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        thrd_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
