/* ranks: 4 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a lock of an array of flags (Anderson). A ticket says which flag to wait for; the owner
 * of what is guarded takes part with loads of its own.
 *
 * The next flag is set before the put is flushed.
 */
#include <mpi.h>
#include <stddef.h>

enum { SLOTS = 8 };
static _Alignas(64) int words[1 + SLOTS];
static _Alignas(64) int account[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, zero = 0, sum = 0, open;
    words[1] = 1;
    MPI_Win win, data;
    MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, data);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 2; round++) {
        int ticket;
        /* Rank 0 comes last in each round, so that it always follows somebody. */
        if (rank == 0) {
            do {
                MPI_Fetch_and_op(NULL, &ticket, MPI_INT, 0, 0, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            } while (ticket < 4 * round + 3);
        }
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        int slot = 1 + ticket % SLOTS, next = 1 + (ticket + 1) % SLOTS;
        do {
            MPI_Fetch_and_op(NULL, &open, MPI_INT, 0, slot, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } while (!open);
        MPI_Accumulate(&zero, 1, MPI_INT, 0, slot, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        if (rank == 0) {
            sum += account[0]; /* B */
        } else {
            MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, data); /* A */
        }
        MPI_Accumulate(&one, 1, MPI_INT, 0, next, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Win_flush(0, data);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
