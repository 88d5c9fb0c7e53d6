/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: none */
/*
 * semantics §3: a process-shared mutex in a shared window orders processes as mutexes order threads.
 *
 * Both ranks hold the same mutex.
 */
#include <mpi.h>
#include <pthread.h>

struct shared {
    pthread_mutex_t mutex[2];
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
        pthread_mutexattr_t how;
        pthread_mutexattr_init(&how);
        pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&shared->mutex[0], &how);
        pthread_mutex_init(&shared->mutex[1], &how);
        pthread_mutexattr_destroy(&how);
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        pthread_mutex_lock(&shared->mutex[0]);
        shared->value += 1.0; /* A */
        pthread_mutex_unlock(&shared->mutex[0]);
    } else {
        pthread_mutex_lock(&shared->mutex[0]);
        shared->value += 2.0; /* B */
        pthread_mutex_unlock(&shared->mutex[0]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
