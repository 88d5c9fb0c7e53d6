/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: atomics order threads as their memory orders say.
 * 
 * A release store, seen by an acquire load.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
static atomic_int flag;

static int buffer[100];
static pthread_t thread;
static void *store(void *unused)
{
    buffer[3] = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        while (!atomic_load_explicit(&flag, memory_order_acquire))
            sched_yield();
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
