/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a lock for readers and a writer, a word that counts the readers and holds a large
 * number while the writer is inside. The writer comes in when it swaps 0, the sum of what the readers added and took.
 *
 * A reader leaves when its get is flushed.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) long word[1];
static _Alignas(64) int table[4];

int main(int argc, char **argv)
{
    int rank, row[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long one = 1, less = -1, writer = 1000, none = 0, seen = 0;
    MPI_Win win, data;
    MPI_Win_create(word, sizeof word, sizeof word[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(table, sizeof table, sizeof table[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    if (rank != 2) {
        MPI_Fetch_and_op(&one, &seen, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        /* The readers are in before the writer tries. */
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Get(row, 4, MPI_INT, 0, 0, 4, MPI_INT, data);
        MPI_Win_flush(0, data);
        MPI_Accumulate(&less, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        do {
            MPI_Compare_and_swap(&writer, &none, &seen, MPI_LONG, 0, 0, win);
            MPI_Win_flush(0, win);
        } while (seen);
        MPI_Put(row, 4, MPI_INT, 0, 0, 4, MPI_INT, data);
        MPI_Win_flush(0, data);
        writer = -writer;
        MPI_Accumulate(&writer, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
