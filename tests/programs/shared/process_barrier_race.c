/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: shared-window A B */
/*
 * semantics §3: a process-shared barrier in a shared window orders what comes before it with what comes after it.
 *
 * Both accesses come after the barrier.
 */
#include <mpi.h>
#include <pthread.h>

struct shared {
    pthread_barrier_t barrier;
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
        pthread_barrierattr_t how;
        pthread_barrierattr_init(&how);
        pthread_barrierattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&shared->barrier, &how, 2);
        pthread_barrierattr_destroy(&how);
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        pthread_barrier_wait(&shared->barrier);
        shared->value = 1.0; /* A */
    } else {
        pthread_barrier_wait(&shared->barrier);
        seen = shared->value; /* B */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
