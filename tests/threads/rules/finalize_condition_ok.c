/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: MPI_Finalize and the threads. All threads must be done with MPI, however the main
 * one learns of it.
 *
 * It waits for a condition.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *other(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF); /* A */
    give_turn(1);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    MPI_Finalize(); /* B */
    pthread_join(thread, NULL);
    return 0;
}
