/* ranks: 3 */
/* needs: run */
/* expect: remote-race A A */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: an MCS queue lock. A process swaps itself into the tail, tells its predecessor, and
 * waits for the flag in its own memory; the lock is handed on by an atomic store, or given back by compare and swap. The next
 * holder knows what was complete when the lock was released. The lock protects plain gets and puts in another window.
 *
 * The put is complete at its origin only when the lock is released.
 */
#include <mpi.h>
#include <stddef.h>

enum { NOBODY = -1, TURNS = 4, HOST = 0, DATA_HOST = 2 };
enum { NEXT = 0, BLOCKED = 1, TAIL = 2 };
static _Alignas(64) int lock[3] = {NOBODY, 0, NOBODY};
static _Alignas(64) long account[2];

static void atomic_set(int rank, int at, int value, MPI_Win win)
{
    MPI_Accumulate(&value, 1, MPI_INT, rank, at, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(rank, win);
}

static int atomic_read(int rank, int at, MPI_Win win)
{
    int seen;

    MPI_Fetch_and_op(NULL, &seen, MPI_INT, rank, at, MPI_NO_OP, win);
    MPI_Win_flush(rank, win);
    return seen;
}

static void acquire(int me, MPI_Win win)
{
    int before;

    atomic_set(me, NEXT, NOBODY, win);
    atomic_set(me, BLOCKED, 1, win);
    MPI_Fetch_and_op(&me, &before, MPI_INT, HOST, TAIL, MPI_REPLACE, win);
    MPI_Win_flush(HOST, win);
    if (before == NOBODY)
        return;
    atomic_set(before, NEXT, me, win);
    while (atomic_read(me, BLOCKED, win))
        ;
}

static void release(int me, MPI_Win win)
{
    static const int nobody = NOBODY;
    int next = atomic_read(me, NEXT, win), tail;

    if (next == NOBODY) {
        MPI_Compare_and_swap(&nobody, &me, &tail, MPI_INT, HOST, TAIL, win);
        MPI_Win_flush(HOST, win);
        if (tail == me)
            return;
        while ((next = atomic_read(me, NEXT, win)) == NOBODY)
            ;
    }
    atomic_set(next, BLOCKED, 0, win);
}

int main(int argc, char **argv)
{
    int rank;
    long balance[2];
    MPI_Win queue, data;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(lock, sizeof lock, sizeof lock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &queue);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, queue);
    MPI_Win_lock_all(0, data);
    for (int turn = 0; turn < TURNS; turn++) {
        acquire(rank, queue);
        MPI_Get(balance, 2, MPI_LONG, DATA_HOST, 0, 2, MPI_LONG, data); /* B */
        MPI_Win_flush_local(DATA_HOST, data);
        balance[0] += rank;
        balance[1]++;
        MPI_Put(balance, 2, MPI_LONG, DATA_HOST, 0, 2, MPI_LONG, data); /* A */
        MPI_Win_flush_local(DATA_HOST, data);
        release(rank, queue);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(queue);
    MPI_Win_free(&data);
    MPI_Win_free(&queue);
    MPI_Finalize();
    return 0;
}
