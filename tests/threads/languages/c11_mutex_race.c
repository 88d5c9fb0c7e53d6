/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. Threads of C11.
 *
 * No mutex.
 */
#include <mpi.h>
#include <threads.h>

#include "../turns.h"

static int value;
static mtx_t mutex;

static int other(void *unused)
{
    (void)unused;
    await_turn(1);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
    return 0;
}

int main(int argc, char **argv)
{
    int provided;
    thrd_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, other, NULL);
    MPI_Barrier(MPI_COMM_SELF); /* A */
    give_turn(1);
    thrd_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
