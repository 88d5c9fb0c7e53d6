/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-request A B */
/*
 * semantics §7: one request in calls of two threads. A request is completed once.
 *
 * Two threads wait for it.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static MPI_Request request;
static int box;

static void *other(void *unused)
{
    await_turn(1);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Irecv(&box, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int letter = 1;
    MPI_Send(&letter, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    give_turn(1);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
