/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a distributed hash table. A slot is claimed by compare and swap of its key, the
 * value is put and flushed, and then published by an atomic flag. Who sees the key knows of the claim, not of the value.
 *
 * Readers get the value as soon as they find the key.
 */
#include <mpi.h>
#include <stddef.h>

enum { SLOTS = 8, RANKS = 3, EACH = 4 };
struct slot {
    int key, ready, value[2];
};
enum { KEY = 0, READY = 1, VALUE = 2, INTS = 4 }; /* displacements, in ints */
static _Alignas(64) struct slot table[SLOTS];

static int atomic_read(int owner, int at, MPI_Win win)
{
    int seen;

    MPI_Fetch_and_op(NULL, &seen, MPI_INT, owner, at, MPI_NO_OP, win);
    MPI_Win_flush(owner, win);
    return seen;
}

static void insert(int key, MPI_Win win)
{
    static const int empty = 0, ready = 1;
    int owner = key % RANKS, at = key / RANKS % SLOTS, seen = 0;
    int value[2] = {10 * key, -key};

    for (;;) {
        MPI_Compare_and_swap(&key, &empty, &seen, MPI_INT, owner, at * INTS + KEY, win);
        MPI_Win_flush(owner, win);
        if (seen == empty)
            break;
        at = (at + 1) % SLOTS;
    }
    MPI_Put(value, 2, MPI_INT, owner, at * INTS + VALUE, 2, MPI_INT, win); /* A */
    MPI_Win_flush(owner, win);
    MPI_Accumulate(&ready, 1, MPI_INT, owner, at * INTS + READY, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(owner, win);
}

static void look_up(int key, MPI_Win win)
{
    int owner = key % RANKS, at = key / RANKS % SLOTS, value[2];

    while (atomic_read(owner, at * INTS + KEY, win) != key)
        at = (at + 1) % SLOTS;
    MPI_Get(value, 2, MPI_INT, owner, at * INTS + VALUE, 2, MPI_INT, win); /* B */
    MPI_Win_flush(owner, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(table, sizeof table, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < EACH; i++)
        insert(1 + EACH * rank + i, win);
    for (int i = 0; i < EACH; i++)
        look_up(1 + EACH * ((rank + 1) % RANKS) + i, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
