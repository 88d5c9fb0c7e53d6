/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: a barrier orders what the calling thread knows.
 * 
 * A second thread puts and flushes, and is joined only after the barrier.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
volatile double seen;
static void *put(void *unused)
{
    double one = 1.0;
    MPI_Put(&one, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win); /* A */
    MPI_Win_flush(1, win);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);

    if (rank == 0) {
        pthread_create(&thread, NULL, put, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        seen = memory[0]; /* B */
    if (rank == 0)
        pthread_join(thread, NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
