/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: another store ends a release sequence.
 * 
 * The main thread sees a value that was stored by itself.
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
    buffer[3] = 1; /* A */
    atomic_fetch_add_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        atomic_store_explicit(&flag, 5, memory_order_relaxed);
        while (atomic_load_explicit(&flag, memory_order_relaxed) < 5)
            sched_yield();
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
