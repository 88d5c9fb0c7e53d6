/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: remote-race A B */
/* expect: thread-race C D */
/*
 * semantics §3, §5: what threads that are gone have done before costs and changes nothing.
 *
 * Two threads have been at work, then the first one is alone for millions of accesses, and then
 * there are two again. A race of the time alone, in a loop over window memory, and one of the last
 * time.
 */
#include <mpi.h>
#include <pthread.h>

enum { WORDS = 1000, SWEEPS = 3000 };

static int *memory, buffer[100];
static MPI_Win win;

static void *sweep(void *unused)
{
    for (int i = 0; i < WORDS; i++)
        memory[i] = i;
    return unused;
}

static void *fill(void *unused)
{
    for (int i = 0; i < 100; i++)
        buffer[i] = i; /* C */
    return unused;
}

/* Not known when compiling, so that every sweep is made. */
static void sweep_alone(volatile int *turns)
{
    for (int turn = 0; turn < *turns; turn++)
        for (int i = 0; i < WORDS; i++)
            memory[i] += turn; /* A */
}

int main(int argc, char **argv)
{
    int rank, provided, turns = SWEEPS, minus = -1;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(WORDS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    pthread_create(&thread, NULL, sweep, NULL);
    pthread_join(thread, NULL);

    MPI_Barrier(MPI_COMM_WORLD);
    sweep_alone(&turns);
    if (rank == 1) {
        MPI_Put(&minus, 1, MPI_INT, 0, 7, 1, MPI_INT, win); /* B */
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        pthread_create(&thread, NULL, fill, NULL);
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* D */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
