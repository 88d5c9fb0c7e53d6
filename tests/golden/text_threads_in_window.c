/* Two threads of one rank: which ones (in either order), and not "store by rank 0 is not ordered with store by rank 0". */
/* expect: thread-race 15 29 */
/* checks: compiled in */
/* flags: -pthread */
/* says: race between threads on window memory: store by thread */
/* says: of rank 0 are not ordered */
/* says-not: by rank 0 is not ordered with */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
static void *store(void *unused)
{
    memory[0] = 1.0;
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);

    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        memory[0] = 2.0;
        pthread_join(thread, NULL);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
