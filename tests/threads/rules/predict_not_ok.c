/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. Locks order; without --predict
 * nothing is said of luck.
 *
 * The mutex protects something else, but orders.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *other(void *unused)
{
    await_turn(1);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    MPI_Barrier(MPI_COMM_SELF); /* A */
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    give_turn(1);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
