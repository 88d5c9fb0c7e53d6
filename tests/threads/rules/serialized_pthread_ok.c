/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. MPI_THREAD_SERIALIZED permits one
 * call at a time.
 *
 * A mutex keeps them apart.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    await_turn(1);
    pthread_mutex_lock(&mutex);
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* B */
    pthread_mutex_unlock(&mutex);
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
    pthread_mutex_lock(&mutex);
    MPI_Barrier(MPI_COMM_SELF); /* A */
    give_turn(1);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
