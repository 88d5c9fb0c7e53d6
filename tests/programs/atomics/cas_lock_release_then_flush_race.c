/* ranks: 3 */
/* needs: run */
/* expect: remote-race A A */
/*
 * semantics §3, atomics as synchronisation: a lock of compare-and-swap around a put. The next holder
 * knows what was complete when the lock was given back, and nothing that was completed later: a flush leaves no trace.
 *
 * The lock is given back before the put is flushed.
 */
#include <mpi.h>

static _Alignas(64) int lock[1];
static _Alignas(64) int account[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int taken = 1, free_again = 0, seen = 1, none = 0;
    MPI_Win win, data;
    MPI_Win_create(lock, sizeof lock, sizeof lock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    while (seen) {
        MPI_Compare_and_swap(&taken, &none, &seen, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    }
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, data); /* A */
    MPI_Accumulate(&free_again, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Win_flush(0, data);
    MPI_Win_unlock_all(data);
    MPI_Win_free(&data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
