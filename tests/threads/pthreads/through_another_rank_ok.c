/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: order goes on through other processes.
 * 
 * The thread that stored sends to rank 1, which sends to the thread that comes to the barrier.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
static void *store(void *unused)
{
    int token = 0;
    memory[0] = 1.0;
    MPI_Send(&token, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);

    int token = 0;
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        MPI_Recv(&token, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        double two = 2.0;
        MPI_Put(&two, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(0, win);
    }
    if (rank == 0)
        pthread_join(thread, NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
