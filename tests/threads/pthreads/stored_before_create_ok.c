/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3, threads: creation orders all that came before it.
 * 
 * The store comes before the first thread of all is made: it is over for that thread.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static volatile double sum;
static pthread_t thread;
static void *load(void *unused)
{
    sum = memory[0];
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);

    memory[0] = rank;
    pthread_create(&thread, NULL, load, NULL);
    pthread_join(thread, NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
