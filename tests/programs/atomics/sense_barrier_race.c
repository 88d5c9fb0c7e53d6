/* ranks: 3 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a barrier of a counter and a sense that the last one turns; the others wait for it.
 * What came before everybody's step of the counter is over behind the barrier.
 *
 * The put is flushed behind the step only.
 */
#include <mpi.h>

static _Alignas(64) int words[2];
static _Alignas(64) int slots[3];
static MPI_Win win;

static void pass(int n, int sense)
{
    int one = 1, zero = 0, before, now;
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    if (before == n - 1) {
        MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&sense, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        return;
    }
    do {
        MPI_Fetch_and_op(&one, &now, MPI_INT, 0, 1, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    } while (now != sense);
}

int main(int argc, char **argv)
{
    int rank, n, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int right = (rank + 1) % n;
    MPI_Win data;
    MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(slots, sizeof slots, sizeof slots[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    for (int round = 0; round < 4; round++) {
        MPI_Put(&rank, 1, MPI_INT, right, rank, 1, MPI_INT, data); /* A */
        pass(n, 1 - round % 2);
        MPI_Win_flush(right, data);
        sum += slots[(rank + n - 1) % n]; /* B */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
