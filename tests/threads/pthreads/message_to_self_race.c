/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: a send → the completion of the matched receive.
 * 
 * The thread that comes to the barrier receives from another rank, not from the thread that stored.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static double *memory;
static pthread_t thread;
static void *store(void *unused)
{
    int token = 0;
    memory[0] = 1.0; /* A */
    MPI_Send(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
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
        int token;
        pthread_create(&thread, NULL, store, NULL);
        MPI_Recv(&token, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        int token = 0;
        MPI_Send(&token, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        double two = 2.0;
        MPI_Put(&two, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win); /* B */
        MPI_Win_flush(0, win);
    }
    if (rank == 0) {
        int token;
        MPI_Recv(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
