/* A five-point stencil without windows: edge rows by isend and irecv, the inside is computed while they are under way,
 * the rest after waitall. Loads and stores go to pages that hold buffers in use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static int n; /* rows per rank, and columns; with one row of halo above and below */

#define AT(cells, row, column) (cells)[(size_t)(row) * (size_t)n + (size_t)(column)]

static double linear(int row, int column)
{
    return (double)(kernel_rank * n + row) + 0.5 * column;
}

static int exchange(double *cells, MPI_Request *requests)
{
    int count = 0;
    if (kernel_rank > 0) {
        MPI_Irecv(&AT(cells, 0, 0), n, MPI_DOUBLE, kernel_before(), 1, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(&AT(cells, 1, 0), n, MPI_DOUBLE, kernel_before(), 2, MPI_COMM_WORLD, &requests[count++]);
    }
    if (kernel_rank < kernel_ranks - 1) {
        MPI_Irecv(&AT(cells, n + 1, 0), n, MPI_DOUBLE, kernel_after(), 2, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(&AT(cells, n, 0), n, MPI_DOUBLE, kernel_after(), 1, MPI_COMM_WORLD, &requests[count++]);
    }
    return count;
}

static void sweep(double *restrict to, const double *restrict from, int first, int last)
{
    for (int row = first; row <= last; row++)
        for (int column = 1; column < n - 1; column++)
            AT(to, row, column) = 0.5 * AT(from, row, column) +
                                  0.125 * (AT(from, row - 1, column) + AT(from, row + 1, column) +
                                           AT(from, row, column - 1) + AT(from, row, column + 1));
}

int main(int argc, char **argv)
{
    int iterations;
    kernel_start(argc, argv, &iterations, &n);
    size_t bytes = (size_t)(n + 2) * (size_t)n * sizeof(double);
    double *now = malloc(bytes), *next = malloc(bytes);
    for (int row = 0; row < n + 2; row++)
        for (int column = 0; column < n; column++)
            AT(now, row, column) = linear(row, column);
    memcpy(next, now, bytes);

    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[4];
        phase_begin();
        int count = exchange(now, requests);
        phase_end(0, COMMUNICATES);
        phase_begin();
        sweep(next, now, 2, n - 1);
        phase_end(1, COMPUTES);
        phase_begin();
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        phase_end(2, COMMUNICATES);
        phase_begin();
        if (kernel_rank > 0)
            sweep(next, now, 1, 1);
        if (kernel_rank < kernel_ranks - 1)
            sweep(next, now, n, n);
        phase_end(3, COMPUTES);
        double *swap = now;
        now = next;
        next = swap;
    }

    int right = 1;
    for (int row = 1; row <= n; row++)
        for (int column = 0; column < n; column++)
            right &= fabs(AT(now, row, column) - linear(row, column)) < 1e-6;
    free(now);
    free(next);
    return kernel_end(right);
}
