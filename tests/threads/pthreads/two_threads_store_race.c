/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §5, threads: loads and stores of two threads in window memory.
 * 
 * Nothing orders the two.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
static void *store(void *unused)
{
    memory[0] = 1.0; /* A */
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
        memory[0] = 2.0; /* B */
        pthread_join(thread, NULL);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
