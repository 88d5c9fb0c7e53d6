/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: none */
/*
 * semantics §3: waiting for a process-shared condition gives its mutex away and gets it back.
 *
 * Rank 1 waits until rank 0 has stored.
 */
#include <mpi.h>
#include <pthread.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int ready;
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
        pthread_mutex_init(&shared->mutex, &how);
        pthread_mutexattr_destroy(&how);
        pthread_condattr_t condition_how;
        pthread_condattr_init(&condition_how);
        pthread_condattr_setpshared(&condition_how, PTHREAD_PROCESS_SHARED);
        pthread_cond_init(&shared->changed, &condition_how);
        pthread_condattr_destroy(&condition_how);
        shared->ready = 0;
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        pthread_mutex_lock(&shared->mutex);
        shared->value = 1.0; /* A */
        shared->ready = 1;
        pthread_cond_signal(&shared->changed);
        pthread_mutex_unlock(&shared->mutex);
    } else {
        pthread_mutex_lock(&shared->mutex);
        while (!shared->ready)
            pthread_cond_wait(&shared->changed, &shared->mutex);
        pthread_mutex_unlock(&shared->mutex);
        seen = shared->value; /* B */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
