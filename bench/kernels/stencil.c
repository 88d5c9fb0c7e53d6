/* A five-point stencil whose whole grid is window memory: the edge rows are put to the neighbours between two fences, then
 * one grid is computed from the other. Every load and store of the sweep meets window memory. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

static int n; /* rows per rank, and columns; with one row of halo above and below */

struct grid {
    double *cells;
    MPI_Win window;
};

#define AT(grid, row, column) (grid)->cells[(size_t)(row) * (size_t)n + (size_t)(column)]

static void grid_create(struct grid *grid)
{
    size_t bytes = (size_t)(n + 2) * (size_t)n * sizeof(double);
    MPI_Win_allocate((MPI_Aint)bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &grid->cells,
                     &grid->window);
    kernel_window_bytes += bytes;
}

/* Linear in both directions, so that the stencil keeps it as it is (but for the ends of the ring, which are not swept). */
static void grid_fill(struct grid *grid)
{
    for (int row = 0; row < n + 2; row++)
        for (int column = 0; column < n; column++)
            AT(grid, row, column) = (double)(kernel_rank * n + row) + 0.5 * column;
}

static void exchange(struct grid *grid)
{
    MPI_Win_fence(0, grid->window);
    if (kernel_rank > 0)
        MPI_Put(&AT(grid, 1, 0), n, MPI_DOUBLE, kernel_before(), (MPI_Aint)(n + 1) * n, n, MPI_DOUBLE,
                grid->window);
    if (kernel_rank < kernel_ranks - 1)
        MPI_Put(&AT(grid, n, 0), n, MPI_DOUBLE, kernel_after(), 0, n, MPI_DOUBLE, grid->window);
    MPI_Win_fence(0, grid->window);
}

static void sweep(struct grid *to, const struct grid *from)
{
    int first = kernel_rank > 0 ? 1 : 2, last = kernel_rank < kernel_ranks - 1 ? n : n - 1;
#pragma omp parallel for
    for (int row = first; row <= last; row++)
        for (int column = 1; column < n - 1; column++)
            AT(to, row, column) = 0.5 * AT(from, row, column) +
                                  0.125 * (AT(from, row - 1, column) + AT(from, row + 1, column) +
                                           AT(from, row, column - 1) + AT(from, row, column + 1));
}

static int check(const struct grid *grid)
{
    for (int row = 1; row <= n; row++)
        for (int column = 0; column < n; column++)
            if (fabs(AT(grid, row, column) - ((double)(kernel_rank * n + row) + 0.5 * column)) > 1e-6)
                return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int iterations;
    struct grid grids[2];
    kernel_start(argc, argv, &iterations, &n);
    for (int i = 0; i < 2; i++) {
        grid_create(&grids[i]);
        grid_fill(&grids[i]);
    }
    for (int i = 0; i < iterations; i++) {
        struct grid *from = &grids[i % 2], *to = &grids[(i + 1) % 2];
        phase_begin();
        exchange(from);
        phase_end(0, COMMUNICATES);
        phase_begin();
        sweep(to, from);
        phase_end(1, COMPUTES);
    }
    int right = check(&grids[iterations % 2]);
    for (int i = 0; i < 2; i++)
        MPI_Win_free(&grids[i].window);
    return kernel_end(right);
}
