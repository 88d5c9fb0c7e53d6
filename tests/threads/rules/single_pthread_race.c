/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-level A B */
/*
 * semantics §7: the level of thread support that MPI provided. Under MPI_THREAD_SINGLE no other
 * thread may call MPI.
 *
 * Another thread calls MPI.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static void *other(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* A */
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);

    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
