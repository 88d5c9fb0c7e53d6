/* expect: none */
/* semantics §3, atomics: a lock by compare-and-swap orders what is complete when it is released, not what is flushed later. */
#include <mpi.h>

enum { LOCK, DATA };
static int mem[2];

static void acquire(MPI_Win win)
{
    int one = 1, zero = 0, old = 1;
    while (old) {
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, LOCK, win);
        MPI_Win_flush(0, win);
    }
}

static void release(MPI_Win win)
{
    int zero = 0;
    MPI_Accumulate(&zero, 1, MPI_INT, 0, LOCK, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value = rank;
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    acquire(win);
    MPI_Put(&value, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    release(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
