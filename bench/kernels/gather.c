/* An unstructured mesh: fluxes along edges, gathered from and scattered to the cells at their ends by index lists. Cells of the
 * neighbours come by put and fence into a window of their own. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { FIELDS = 4, HALO = 64 };

static int n; /* cells of this rank; behind them HALO from each neighbour */

struct edge {
    int from, to;
};

/* A ring of cells with chords of different lengths: the same on all ranks. */
static void connect(struct edge *edges, int count)
{
    for (int i = 0; i < count; i++) {
        edges[i].from = i % n;
        edges[i].to = (int)((i % n + 1 + (size_t)(i / n) * 97) % (size_t)(n + 2 * HALO));
    }
}

static void fluxes(const struct edge *edges, int count, const double *restrict cells, double *restrict residuals)
{
    for (int i = 0; i < count; i++) {
        const double *a = cells + (size_t)edges[i].from * FIELDS, *b = cells + (size_t)edges[i].to * FIELDS;
        double speed = 0.5 * (a[0] + b[0]);
        for (int field = 0; field < FIELDS; field++) {
            double flux = speed * (a[field] - b[field]);
            residuals[(size_t)edges[i].from * FIELDS + field] -= flux;
            residuals[(size_t)edges[i].to * FIELDS + field] += flux;
        }
    }
}

static void advance(double *restrict cells, double *restrict residuals, size_t values)
{
    for (size_t i = 0; i < values; i++) {
        cells[i] += 1e-3 * residuals[i];
        residuals[i] = 0;
    }
}

int main(int argc, char **argv)
{
    int iterations, right = 1;
    kernel_start(argc, argv, &iterations, &n);
    int count = 4 * n, halo = HALO * FIELDS;
    size_t values = (size_t)(n + 2 * HALO) * FIELDS, inside = (size_t)n * FIELDS;
    struct edge *edges = malloc(sizeof *edges * (size_t)count);
    double *cells = malloc(sizeof *cells * values), *residuals = calloc(values, sizeof *residuals), *others;
    MPI_Win window;
    MPI_Win_allocate((MPI_Aint)sizeof *others * 2 * halo, sizeof *others, MPI_INFO_NULL, MPI_COMM_WORLD, &others, &window);
    kernel_window_bytes = sizeof *others * 2 * (size_t)halo;
    connect(edges, count);
    for (size_t i = 0; i < values; i++)
        cells[i] = 1 + 0.001 * (double)(i % 100);

    for (int i = 0; i < iterations; i++) {
        phase_begin();
        MPI_Win_fence(0, window);
        MPI_Put(cells, halo, MPI_DOUBLE, kernel_before(), halo, halo, MPI_DOUBLE, window);
        MPI_Put(cells + inside - halo, halo, MPI_DOUBLE, kernel_after(), 0, halo, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        phase_end(0, COMMUNICATES);
        phase_begin();
        for (int j = 0; j < 2 * halo; j++)
            cells[inside + (size_t)j] = others[j];
        double before = 0, after = 0;
        for (size_t j = 0; j < values; j++)
            before += cells[j];
        fluxes(edges, count, cells, residuals);
        advance(cells, residuals, values);
        for (size_t j = 0; j < values; j++)
            after += cells[j];
        right &= fabs(after - before) < 1e-6 * before; /* what leaves one cell enters another */
        phase_end(1, COMPUTES);
    }

    MPI_Win_free(&window);
    free(edges);
    free(cells);
    free(residuals);
    return kernel_end(right);
}
