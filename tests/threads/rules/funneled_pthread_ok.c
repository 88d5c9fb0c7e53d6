/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. Under MPI_THREAD_FUNNELED only the
 * main thread may call MPI.
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

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); /* A */
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    MPI_Barrier(MPI_COMM_SELF); /* B */
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
