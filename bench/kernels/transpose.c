/* A matrix distributed by blocks of rows is transposed: each rank turns the block for every other rank in private memory,
 * puts it there under one lock_all and flushes; after a barrier the block is added to the private result. */
#include <stdlib.h>

#include "kernel.h"

static int n, width; /* the matrix is n x n; rows per rank */

/* Of the untransposed matrix; small integers, so that sums are exact. */
static double value(int row, int column)
{
    return (double)(row % 97 * 100 + column % 89);
}

static void turn(const double *restrict from, double *restrict block, int peer)
{
    for (int row = 0; row < width; row++)
        for (int column = 0; column < width; column++)
            block[(size_t)column * (size_t)width + (size_t)row] =
                from[(size_t)row * (size_t)n + (size_t)(peer * width + column)];
}

static void add(double *restrict to, const double *restrict block, int peer)
{
    for (int row = 0; row < width; row++)
        for (int column = 0; column < width; column++)
            to[(size_t)row * (size_t)n + (size_t)(peer * width + column)] +=
                block[(size_t)row * (size_t)width + (size_t)column];
}

int main(int argc, char **argv)
{
    int iterations;
    kernel_start(argc, argv, &iterations, &n);
    width = n / kernel_ranks;
    n = width * kernel_ranks;
    size_t block = (size_t)width * (size_t)width, all = (size_t)width * (size_t)n;
    double *from = malloc(all * sizeof *from), *to = calloc(all, sizeof *to);
    double *turned = malloc(all * sizeof *turned), *arrived;
    MPI_Win window;
    MPI_Win_allocate((MPI_Aint)(all * sizeof *arrived), sizeof *arrived, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &arrived, &window);
    kernel_window_bytes = all * sizeof *arrived;
    for (int row = 0; row < width; row++)
        for (int column = 0; column < n; column++)
            from[(size_t)row * (size_t)n + (size_t)column] = value(kernel_rank * width + row, column);

    MPI_Win_lock_all(0, window);
    for (int i = 0; i < iterations; i++) {
        phase_begin();
        for (int peer = 0; peer < kernel_ranks; peer++)
            turn(from, turned + (size_t)peer * block, peer);
        phase_end(0, COMPUTES);
        phase_begin();
        for (int peer = 0; peer < kernel_ranks; peer++)
            MPI_Put(turned + (size_t)peer * block, (int)block, MPI_DOUBLE, peer,
                    (MPI_Aint)((size_t)kernel_rank * block), (int)block, MPI_DOUBLE, window);
        MPI_Win_flush_all(window);
        MPI_Barrier(MPI_COMM_WORLD);
        phase_end(1, COMMUNICATES);
        phase_begin();
        MPI_Win_sync(window);
        for (int peer = 0; peer < kernel_ranks; peer++)
            add(to, arrived + (size_t)peer * block, peer);
        phase_end(2, COMPUTES);
        /* Nobody overwrites what is not added yet. */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);

    int right = 1;
    for (int row = 0; row < width; row++)
        for (int column = 0; column < n; column++)
            right &= to[(size_t)row * (size_t)n + (size_t)column] ==
                     iterations * value(column, kernel_rank * width + row);
    MPI_Win_free(&window);
    free(from);
    free(to);
    free(turned);
    return kernel_end(right);
}
