/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: locks of one byte, neighbours in a word. One guards a slot each.
 *
 * Each slot is written under its own lock.
 */
#include <mpi.h>

static _Alignas(64) unsigned char locks[8];
static _Alignas(64) int slots[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsigned char taken = 1, free_again = 0, seen;
    int slot = rank == 2;
    int which = slot;
    MPI_Win win, data;
    MPI_Win_create(locks, sizeof locks, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(slots, sizeof slots, sizeof slots[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    for (int round = 0; round < 2; round++) {
        do {
            MPI_Compare_and_swap(&taken, &free_again, &seen, MPI_UNSIGNED_CHAR, 1, which, win);
            MPI_Win_flush(1, win);
        } while (seen);
        MPI_Put(&rank, 1, MPI_INT, 1, slot, 1, MPI_INT, data);
        MPI_Win_flush(1, data);
        MPI_Fetch_and_op(&free_again, &seen, MPI_UNSIGNED_CHAR, 1, which, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
