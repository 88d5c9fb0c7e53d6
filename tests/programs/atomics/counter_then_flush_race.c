/* ranks: 4 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a counter of those who have put their part. Whoever reads it
 * when it is full knows what was complete before each count.
 *
 * Each counts before its put is flushed.
 */
#include <mpi.h>
#include <stddef.h>

enum { RANKS = 4 };
static _Alignas(64) int count[1];
static _Alignas(64) int parts[RANKS];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, old, all[RANKS];
    MPI_Win win, data;
    MPI_Win_create(count, sizeof count, sizeof count[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(parts, sizeof parts, sizeof parts[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    if (rank) {
        MPI_Put(&rank, 1, MPI_INT, 1, rank, 1, MPI_INT, data); /* A */
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Win_flush(1, data);
    } else {
        while (seen < RANKS - 1) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Get(all, RANKS, MPI_INT, 1, 0, RANKS, MPI_INT, data); /* B */
    }
    MPI_Win_unlock_all(data);
    MPI_Win_free(&data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
