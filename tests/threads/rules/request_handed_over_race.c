/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-request A B */
/*
 * semantics §7: one request in calls of two threads, MPI-4.0 §11.6.2.
 *
 * One thread starts a receive, tests it, and leaves it to the other one, which waits for
 * it, by a variable that orders nothing.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static MPI_Request place;

static void *other(void *unused)
{
    await_turn(1);
    MPI_Wait(&place, MPI_STATUS_IGNORE); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int provided, box, flag = 0, letter = 1;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    MPI_Irecv(&box, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* A */
    MPI_Send(&letter, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    place = request;
    give_turn(1);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
