/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-request A B */
/*
 * semantics §7: one request in calls of two threads, MPI-4.0 §11.6.2.
 *
 * MPI gives the value of a handle to the next request when the first one is complete: in another
 * thread, which nothing orders with it, it is another request. Each thread moves its handles to
 * another variable before it waits. In the end one tests what the other one waits for.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

enum { ROUNDS = 50 };

static void exchange(int tag)
{
    for (int i = 0; i < ROUNDS; i++) {
        int box, letter = i;
        MPI_Request made[2], moved[2];
        MPI_Irecv(&box, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &made[0]);
        MPI_Isend(&letter, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &made[1]);
        moved[0] = made[0];
        moved[1] = made[1];
        nap();
        MPI_Waitall(2, moved, MPI_STATUSES_IGNORE);
    }
}

static MPI_Request first, copy;
static int flag;

static void *other(void *unused)
{
    await_turn(1);
    exchange(2);
    MPI_Test(&copy, &flag, MPI_STATUS_IGNORE); /* B */
    give_turn(2);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int box, letter = 1;
    MPI_Irecv(&box, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &first);
    copy = first;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    exchange(1);
    give_turn(1);
    exchange(1);
    await_turn(2);
    MPI_Send(&letter, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&first, MPI_STATUS_IGNORE); /* A */
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
