/* ranks: 2 */
/* needs: cc */
/* nodes: one */
/* expect: none */
/*
 * semantics §3: a process-shared semaphore in a shared window orders what comes before a post with what comes after a wait.
 *
 * Rank 1 loads when it has waited.
 */
#include <mpi.h>
#include <semaphore.h>

struct shared {
    sem_t ready;
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
        sem_init(&shared->ready, 1, 0);
        shared->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        shared->value = 1.0; /* A */
        sem_post(&shared->ready);
    } else {
        sem_wait(&shared->ready);
        seen = shared->value; /* B */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
