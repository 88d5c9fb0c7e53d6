/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: MPI_Finalize and the threads. The thread that initialised MPI finalizes it.
 *
 * The main thread does.
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
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* A */
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);

    pthread_join(thread, NULL);
    MPI_Finalize(); /* B */
    return 0;
}
