/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/* notes: thread-level A - */
/*
 * semantics §7: the level of thread support that MPI provided. Threads exist under
 * MPI_THREAD_SINGLE, but only the main one calls MPI.
 *
 * A note.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static void *other(void *unused)
{
    nap();
    return unused;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* A */
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    MPI_Barrier(MPI_COMM_SELF);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
