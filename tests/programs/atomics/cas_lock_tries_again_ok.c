/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a fetch learns what was known at the issue of the update that it read, and nothing
 * from what its origin tried later. A compare-and-swap that fails is no update (§8).
 *
 * The put is flushed before the lock is given back. Rank 0 then tries something else with the lock, in vain, before
 * rank 1 completes the call by which it got it.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

static _Alignas(64) int lock[1];
static _Alignas(64) int account[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int taken = 1, free_again = 0, seen = 1, never = 7, money = 42;
    MPI_Win win, data;
    MPI_Win_create(lock, sizeof lock, sizeof lock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    if (rank == 0) {
        MPI_Accumulate(&taken, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Put(&money, 1, MPI_INT, 0, 0, 1, MPI_INT, data); /* A */
        MPI_Win_flush(0, data);
        MPI_Accumulate(&free_again, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Compare_and_swap(&taken, &never, &seen, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(100000);
        for (int tries = 0; seen; tries++) {
            MPI_Compare_and_swap(&taken, &free_again, &seen, MPI_INT, 0, 0, win);
            if (tries == 0)
                MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
            usleep(100000);
            MPI_Win_flush(0, win);
        }
        MPI_Get(&money, 1, MPI_INT, 0, 0, 1, MPI_INT, data); /* B */
        MPI_Win_flush(0, data);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_free(&data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
