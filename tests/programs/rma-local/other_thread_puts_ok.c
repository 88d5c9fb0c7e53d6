/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §2: Put reads its origin buffer until local completion, whichever thread has issued it.
 *
 * The main thread has just stored beside it, so it may remember these bytes as free.
 * It changes the word after the other thread has completed its Put.
 */
#include <mpi.h>
#include <pthread.h>

static _Alignas(64) long mem[2];
static _Alignas(4096) long words[8];
static MPI_Win win;

static void *put(void *unused)
{
    MPI_Put(&words[5], 1, MPI_LONG, 1, 1, 1, MPI_LONG, win);
    MPI_Win_flush_local(1, win);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0 && level == MPI_THREAD_MULTIPLE) {
        pthread_t thread;
        words[0] = 1;
        MPI_Put(&words[0], 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        words[4] = words[5] = words[6] = 1;
        if (pthread_create(&thread, NULL, put, NULL) == 0)
            pthread_join(thread, NULL);
        words[5] = 2;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
