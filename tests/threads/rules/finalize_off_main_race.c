/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-finalize A B */
/*
 * semantics §7: MPI_Finalize and the threads. The thread that initialised MPI finalizes it.
 *
 * Another one does.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static void *other(void *unused)
{
    MPI_Finalize(); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* A */
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);

    pthread_join(thread, NULL);
    return 0;
}
