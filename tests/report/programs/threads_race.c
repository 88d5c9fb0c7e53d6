/* Two threads of rank 0 put to the same bytes of rank 1. The second one was made by the first, whose first put it knows of; the put in
 * line 29 comes before the join and is not ordered with the one in line 12. */
#include <mpi.h>
#include <pthread.h>

static MPI_Win win;
static int x = 1;

static void *second(void *unused)
{
    (void)unused;
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, *memory;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_create(&thread, NULL, second, NULL);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_join(thread, NULL);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
