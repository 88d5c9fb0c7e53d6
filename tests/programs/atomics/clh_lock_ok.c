/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a queue lock of Craig, Landin and Hagersten. Who comes exchanges the number of the
 * last node by its own, polls that node until its holder frees it, and takes it for its next time.
 *
 * A node is freed when the put is flushed.
 */
#include <mpi.h>
#include <stddef.h>

/* The last node, and the state of four nodes: 1 is busy. */
static _Alignas(64) int words[5];
static _Alignas(64) int account[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int busy = 1, idle = 0, mine = rank + 2, before, state;
    words[0] = 1;
    MPI_Win win, data;
    MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    for (int round = 0; round < 3; round++) {
        MPI_Accumulate(&busy, 1, MPI_INT, 0, mine, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&mine, &before, MPI_INT, 0, 0, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        do {
            MPI_Fetch_and_op(NULL, &state, MPI_INT, 0, before, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } while (state);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
        MPI_Win_flush(0, data);
        MPI_Accumulate(&idle, 1, MPI_INT, 0, mine, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        mine = before;
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
