/* ranks: 5 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a barrier made of atomic counters. In round k each process tells the one 2^k places
 * to its right and waits for the one 2^k places to its left; what it knows doubles in each round. Between two such barriers each
 * process puts to its left, whose news have the longest way.
 *
 * Five processes need three rounds.
 */
#include <mpi.h>
#include <stddef.h>

enum { ROUNDS = 3, STEPS = 4, CELLS = 3 };
static _Alignas(64) int arrived[ROUNDS];
static _Alignas(64) int cells[CELLS];

static void barrier(int generation, int rank, int ranks, MPI_Win win)
{
    static const int one = 1;

    for (int round = 0; round < ROUNDS; round++) {
        int right = (rank + (1 << round)) % ranks, seen = 0;
        MPI_Accumulate(&one, 1, MPI_INT, right, round, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(right, win);
        while (seen < generation) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, rank, round, MPI_NO_OP, win);
            MPI_Win_flush(rank, win);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, sum[CELLS] = {0}, mine[CELLS];
    MPI_Win counters, data;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_create(arrived, sizeof arrived, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counters);
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, counters);
    MPI_Win_lock_all(0, data);
    for (int step = 0; step < STEPS; step++) {
        int left = (rank + ranks - 1) % ranks;
        for (int i = 0; i < CELLS; i++)
            mine[i] = 100 * step + 10 * rank + i;
        MPI_Put(mine, CELLS, MPI_INT, left, 0, CELLS, MPI_INT, data);
        MPI_Win_flush(left, data);
        barrier(2 * step + 1, rank, ranks, counters);
        MPI_Reduce_local(cells, sum, CELLS, MPI_INT, MPI_SUM);
        barrier(2 * step + 2, rank, ranks, counters);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(counters);
    MPI_Win_free(&data);
    MPI_Win_free(&counters);
    MPI_Finalize();
    return 0;
}
