/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: a release fence makes the relaxed store behind it release.
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
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
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
