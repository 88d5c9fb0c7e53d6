/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: messages of two threads on one channel match in the order of the calls, where there is one.
 * 
 * The receiver puts to the memory of the thread whose message it has got, whichever that was.
 */
#include <mpi.h>
#include <pthread.h>
static int *memory;
static pthread_t threads[2];
static void *store(void *argument)
{
    int self = argument == &threads[1];
    memory[self] = 1;
    MPI_Send(&self, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, which, two = 2;
    MPI_Win win;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, store, &threads[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    } else {
        MPI_Recv(&which, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&two, 1, MPI_INT, 0, which, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Recv(&which, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
