/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, threads: whoever makes a thread hands over all that it did before.
 *
 * The first thread puts and flushes before there is any other thread; what it makes then puts to the same bytes, and so does the first one meanwhile.
 */
#include <mpi.h>
#include <pthread.h>
static MPI_Win win;
static int x = 1;
static void *put(void *unused)
{
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    MPI_Win_flush(1, win);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, *memory;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_create(&thread, NULL, put, NULL);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
        MPI_Win_flush(1, win);
        pthread_join(thread, NULL);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
