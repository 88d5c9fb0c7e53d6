/* Random updates of a distributed table: one word each, xor, to a rank and place drawn at random, flushed in batches.
 * The table is changed and read back only by MPI's atomics, but for the first fill and the last look. */
#include <stdint.h>
#include <stdlib.h>

#include "kernel.h"

enum { BATCH = 256 };

/* xorshift64: the same stream of each rank in both rounds, so that the second undoes the first. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int main(int argc, char **argv)
{
    int iterations, size;
    kernel_start(argc, argv, &iterations, &size);
    uint64_t *table, updates[BATCH];
    MPI_Win window;
    MPI_Win_allocate((MPI_Aint)size * (MPI_Aint)sizeof *table, sizeof *table, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &table, &window);
    kernel_window_bytes = (size_t)size * sizeof *table;
    for (int i = 0; i < size; i++)
        table[i] = (uint64_t)i;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, window);
    uint64_t state = 0;
    iterations += iterations % 2;
    for (int i = 0; i < iterations; i++) {
        if (i % (iterations / 2) == 0)
            state = UINT64_C(88172645463325252) + (uint64_t)kernel_rank;
        phase_begin();
        for (int j = 0; j < BATCH; j++) {
            updates[j] = draw(&state);
            MPI_Accumulate(&updates[j], 1, MPI_UINT64_T, (int)(updates[j] % (uint64_t)kernel_ranks),
                           (MPI_Aint)(updates[j] >> 32) % size, 1, MPI_UINT64_T, MPI_BXOR, window);
        }
        MPI_Win_flush_all(window);
        MPI_Barrier(MPI_COMM_WORLD);
        phase_end(0, COMMUNICATES);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);

    int right = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, kernel_rank, 0, window);
    for (int i = 0; i < size; i++)
        right &= table[i] == (uint64_t)i;
    MPI_Win_unlock(kernel_rank, window);
    MPI_Win_free(&window);
    return kernel_end(right);
}
