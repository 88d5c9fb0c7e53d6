/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: shared-window A B */
/*
 * semantics §3: a process-shared spin lock in a shared window orders processes as it orders threads.
 *
 * Rank 0 does not lock.
 */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>

struct shared {
    pthread_spinlock_t lock;
    double value;
};

volatile double seen;

int main(int argc, char **argv)
{
    int rank, unit;
    MPI_Aint size;
    MPI_Win win;
    struct shared *shared;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *shared : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &shared);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        pthread_spin_init(&shared->lock, PTHREAD_PROCESS_SHARED);
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        shared->value += 1.0; /* A */
    } else {
        while (pthread_spin_trylock(&shared->lock))
            sched_yield();
        shared->value += 2.0; /* B */
        pthread_spin_unlock(&shared->lock);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
