/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: none */
/*
 * semantics §3: a process-shared lock for readers and writers orders writers with all others, not readers with each other.
 *
 * Rank 0 holds it as a writer, rank 1 as a reader.
 */
#include <mpi.h>
#include <pthread.h>

struct shared {
    pthread_rwlock_t lock;
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
        pthread_rwlockattr_t how;
        pthread_rwlockattr_init(&how);
        pthread_rwlockattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
        pthread_rwlock_init(&shared->lock, &how);
        pthread_rwlockattr_destroy(&how);
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        pthread_rwlock_wrlock(&shared->lock);
        shared->value = 1.0; /* A */
        pthread_rwlock_unlock(&shared->lock);
    } else {
        pthread_rwlock_rdlock(&shared->lock);
        seen = shared->value; /* B */
        pthread_rwlock_unlock(&shared->lock);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
