/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: a lock made of compare-and-exchange.
 * 
 * The worker stores behind its unlock.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
static atomic_int lock, done;

static int buffer[100];
static pthread_t thread;
static void *store(void *unused)
{
    int free;
    while (free = 0, !atomic_compare_exchange_weak_explicit(&lock, &free, 1, memory_order_acquire, memory_order_relaxed))
        sched_yield();
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    atomic_store_explicit(&lock, 0, memory_order_release);
    buffer[3] = 1; /* A */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        for (int seen = 0; !seen;) {
            int free;
            while (free = 0, !atomic_compare_exchange_weak_explicit(&lock, &free, 1, memory_order_acquire, memory_order_relaxed))
                sched_yield();
            seen = atomic_load_explicit(&done, memory_order_relaxed);
            atomic_store_explicit(&lock, 0, memory_order_release);
        }
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
