/* A star of radius two over a private grid; only the rows that neighbours fill by put and fence are window memory. Written as
 * such codes are: bounds are the lesser of two limits, sums are kept in memory, the star's arms are small loops.
 * With SHARED the grids themselves are in shared-memory windows (shared.c), and edge rows are loaded from the neighbour's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#ifndef SHARED
#define SHARED 0
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum { RADIUS = 2, WIDTH = 2 * RADIUS + 1 };

static int n;                                  /* columns, and rows of this rank */
static int first_row, last_row, total_rows;    /* of this rank, and of all */
static double weights[WIDTH][WIDTH];
static double *now, *next, *halo;              /* n + 2 * RADIUS rows; halo: the rows from above, then those from below */
static MPI_Win window, next_window;

#define WEIGHT(down, right) weights[(down) + RADIUS][(right) + RADIUS]
#define AT(cells, row, column) (cells)[(size_t)((row)-first_row + RADIUS) * (size_t)n + (size_t)(column)]

static double linear(int row, int column)
{
    return row + 0.5 * column;
}

static double *allocate(MPI_Win *shared)
{
    double *cells;
    MPI_Aint bytes = (MPI_Aint)sizeof *cells * (n + 2 * RADIUS) * n;
    if (!SHARED)
        return malloc((size_t)bytes);
    MPI_Win_allocate_shared(bytes, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, shared);
    kernel_window_bytes += (size_t)bytes;
    return cells;
}

static void fill(double *cells)
{
    for (int row = first_row - RADIUS; row <= last_row + RADIUS; row++)
        for (int column = 0; column < n; column++)
            AT(cells, row, column) = linear(row, column);
}

static void set_up(void)
{
    first_row = kernel_rank * n;
    last_row = first_row + n - 1;
    total_rows = kernel_ranks * n;
    for (int i = 1; i <= RADIUS; i++)
        WEIGHT(i, 0) = WEIGHT(-i, 0) = WEIGHT(0, i) = WEIGHT(0, -i) = 1.0 / (4 * RADIUS);
    now = allocate(&window);
    next = allocate(&next_window);
    if (!SHARED) {
        kernel_window_bytes = sizeof *halo * 2 * RADIUS * (size_t)n;
        MPI_Win_allocate((MPI_Aint)kernel_window_bytes, sizeof *halo, MPI_INFO_NULL, MPI_COMM_WORLD, &halo, &window);
    }
    fill(now);
    fill(next);
}

/* The neighbour's rows become ours: all grids have the same shape. */
static void take_edges(void)
{
    double *other;
    MPI_Aint bytes;
    int unit;
    size_t edge = sizeof *now * RADIUS * (size_t)n;
    MPI_Win_fence(0, window);
    if (kernel_rank > 0) {
        MPI_Win_shared_query(window, kernel_before(), &bytes, &unit, &other);
        memcpy(now, other + (size_t)n * (size_t)n, edge);
    }
    if (kernel_rank < kernel_ranks - 1) {
        MPI_Win_shared_query(window, kernel_after(), &bytes, &unit, &other);
        memcpy(&AT(now, last_row + 1, 0), other + (size_t)RADIUS * (size_t)n, edge);
    }
    MPI_Win_fence(0, window);
}

static void put_edges(void)
{
    int count = RADIUS * n;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    if (kernel_rank > 0)
        MPI_Put(&AT(now, first_row, 0), count, MPI_DOUBLE, kernel_before(), count, count, MPI_DOUBLE, window);
    if (kernel_rank < kernel_ranks - 1)
        MPI_Put(&AT(now, last_row - RADIUS + 1, 0), count, MPI_DOUBLE, kernel_after(), 0, count, MPI_DOUBLE, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    if (kernel_rank > 0)
        memcpy(now, halo, sizeof *halo * (size_t)count);
    if (kernel_rank < kernel_ranks - 1)
        memcpy(&AT(now, last_row + 1, 0), halo + count, sizeof *halo * (size_t)count);
}

static void sweep(void)
{
#pragma omp parallel for
    for (int row = MAX(first_row, RADIUS); row <= MIN(last_row, total_rows - RADIUS - 1); row++)
        for (int column = MAX(0, RADIUS); column <= MIN(n - 1, n - RADIUS - 1); column++) {
            AT(next, row, column) = 0;
            for (int i = -RADIUS; i <= RADIUS; i++)
                AT(next, row, column) += WEIGHT(i, 0) * AT(now, row + i, column);
            for (int i = -RADIUS; i < 0; i++)
                AT(next, row, column) += WEIGHT(0, i) * AT(now, row, column + i);
            for (int i = 1; i <= RADIUS; i++)
                AT(next, row, column) += WEIGHT(0, i) * AT(now, row, column + i);
        }
}

static void swap(void)
{
    double *cells = now;
    MPI_Win other = window;
    now = next;
    next = cells;
    if (SHARED) {
        window = next_window;
        next_window = other;
    }
}

int main(int argc, char **argv)
{
    int iterations, right = 1;
    kernel_start(argc, argv, &iterations, &n);
    set_up();
    for (int i = 0; i < iterations; i++) {
        phase_begin();
        if (SHARED)
            take_edges();
        else
            put_edges();
        phase_end(0, COMMUNICATES);
        phase_begin();
        sweep();
        swap();
        phase_end(1, COMPUTES);
    }
    for (int row = first_row; row <= last_row; row++)
        for (int column = 0; column < n; column++)
            right &= fabs(AT(now, row, column) - linear(row, column)) < 1e-6;
    MPI_Win_free(&window);
    if (SHARED)
        MPI_Win_free(&next_window);
    return kernel_end(right);
}
