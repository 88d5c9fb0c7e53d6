/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. Threads of C11.
 *
 * A mutex keeps them apart.
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
    mtx_lock(&mutex);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
    mtx_unlock(&mutex);
    return 0;
}

int main(int argc, char **argv)
{
    int provided;
    thrd_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, other, NULL);
    mtx_lock(&mutex);
    MPI_Barrier(MPI_COMM_SELF); /* A */
    give_turn(1);
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
