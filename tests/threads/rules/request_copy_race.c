/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-request A B */
/*
 * semantics §7: one request in calls of two threads, MPI-4.0 §11.6.2: a request is completed once.
 * It is the object that counts, not the variable that has its handle (§2.5.1).
 *
 * The other thread tests a copy of the handle, and nothing orders that with the wait.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

static MPI_Request request, copy;
static int box, flag;

static void *other(void *unused)
{
    await_turn(1);
    MPI_Test(&copy, &flag, MPI_STATUS_IGNORE); /* B */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Irecv(&box, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    copy = request;
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
