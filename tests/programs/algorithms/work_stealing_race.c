/* ranks: 3 */
/* needs: cc */
/* expect: remote-race A B */
/* expect: remote-race A C */
/*
 * semantics §3, locks: work stealing. Each process takes tasks from its own stock by loads and stores, and from the others' by get
 * and put when its own is used up. Accesses under locks exclude each other if one of the locks is exclusive; a process's own
 * loads and stores count as inside its lock on itself.
 *
 * The owner takes the stock for its own memory, which needs no lock.
 */
#include <mpi.h>

enum { RANKS = 3, TASKS = 5 };
static _Alignas(64) int stock[1];

/* Inlined, gcc sinks a store out of the loop and gives it another line. */
__attribute__((noinline)) static int take_own(void)
{
    int task = stock[0]--; /* A */
    return task;
}

static int steal(int victim, MPI_Win win)
{
    int task, rest;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, victim, 0, win);
    MPI_Get(&task, 1, MPI_INT, victim, 0, 1, MPI_INT, win); /* B */
    MPI_Win_flush(victim, win);
    rest = task - 1;
    MPI_Put(&rest, 1, MPI_INT, victim, 0, 1, MPI_INT, win); /* C */
    MPI_Win_unlock(victim, win);
    return task;
}

int main(int argc, char **argv)
{
    int rank, done = 0, all = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    stock[0] = TASKS * rank;
    MPI_Win_create(stock, sizeof stock, sizeof stock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    while (take_own() > 0)
        done++;
    for (int i = 1; i < RANKS; i++)
        while (steal((rank + i) % RANKS, win) > 0)
            done++;
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
