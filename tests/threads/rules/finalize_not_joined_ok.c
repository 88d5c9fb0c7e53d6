/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: MPI_Finalize and the threads. All threads must be done with MPI.
 *
 * The thread is joined first.
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
    pthread_join(thread, NULL);
    MPI_Finalize(); /* B */
    return 0;
}
