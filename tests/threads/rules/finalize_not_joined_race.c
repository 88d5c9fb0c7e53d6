/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-finalize A B */
/*
 * semantics §7: MPI_Finalize and the threads. All threads must be done with MPI.
 *
 * The thread is joined too late.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static void *other(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF); /* A */
    give_turn(1);
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
    await_turn(1);
    nap();
    MPI_Finalize(); /* B */
    pthread_join(thread, NULL);
    return 0;
}
