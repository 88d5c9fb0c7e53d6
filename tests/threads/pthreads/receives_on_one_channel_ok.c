/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: two threads receive on one channel, and each loads what its own message tells of.
 */
#include <mpi.h>
#include <pthread.h>
static int *memory;
static pthread_t threads[2];
volatile int seen;
static void *load(void *unused)
{
    int which;
    MPI_Recv(&which, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    seen = memory[which];
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, one = 1;
    MPI_Win win;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, load, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Put(&one, 1, MPI_INT, 1, i, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
            MPI_Send(&i, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        }
        MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
