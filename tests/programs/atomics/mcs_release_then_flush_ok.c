/* ranks: 4 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: an MCS queue lock. The flag of the next holder is
 * cleared by Accumulate, and it polls it in its own memory.
 *
 * The put is flushed before the lock is handed on.
 */
#include <mpi.h>
#include <stddef.h>

enum { NOBODY = -1, HOST = 0, DATA_HOST = 3 };
enum { NEXT, BLOCKED, TAIL };
static _Alignas(64) int lock[3] = {NOBODY, 1, NOBODY};
static _Alignas(64) int account[1];

static int atomic_read(int rank, int at, MPI_Win win)
{
    int seen;

    MPI_Fetch_and_op(NULL, &seen, MPI_INT, rank, at, MPI_NO_OP, win);
    MPI_Win_flush_local(rank, win);
    return seen;
}

static void acquire(int me, MPI_Win win)
{
    int before;

    MPI_Fetch_and_op(&me, &before, MPI_INT, HOST, TAIL, MPI_REPLACE, win);
    MPI_Win_flush(HOST, win);
    if (before == NOBODY)
        return;
    MPI_Accumulate(&me, 1, MPI_INT, before, NEXT, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(before, win);
    while (atomic_read(me, BLOCKED, win))
        ;
}

static void release(int me, MPI_Win win)
{
    int next = atomic_read(me, NEXT, win), nobody = NOBODY, zero = 0, tail;

    if (next == NOBODY) {
        MPI_Compare_and_swap(&nobody, &me, &tail, MPI_INT, HOST, TAIL, win);
        MPI_Win_flush(HOST, win);
        if (tail == me)
            return;
        while ((next = atomic_read(me, NEXT, win)) == NOBODY)
            ;
    }
    MPI_Accumulate(&zero, 1, MPI_INT, next, BLOCKED, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(next, win);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win, data;
    MPI_Win_create(lock, sizeof lock, sizeof lock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    acquire(rank, win);
    MPI_Put(&rank, 1, MPI_INT, DATA_HOST, 0, 1, MPI_INT, data);
    MPI_Win_flush(DATA_HOST, data);
    release(rank, win);
    MPI_Win_unlock_all(data);
    MPI_Win_free(&data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
