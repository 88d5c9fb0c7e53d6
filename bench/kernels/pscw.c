/* A one-dimensional diffusion on private arrays; only the halo cells are window memory, filled by the neighbours with
 * post, start, complete, wait. The usual way to write such a code: most loads and stores have nothing to do with MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { HALO = 8, STEPS = HALO }; /* cells from each neighbour; steps that can be made before they are used up */

static int n;

static MPI_Group neighbours(void)
{
    int ranks[2], count = 0;
    MPI_Group world, group;
    if (kernel_rank > 0)
        ranks[count++] = kernel_before();
    if (kernel_rank < kernel_ranks - 1)
        ranks[count++] = kernel_after();
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &group);
    MPI_Group_free(&world);
    return group;
}

/* In the window: the cells from before, then the cells from after. */
static void exchange(const double *cells, MPI_Group group, MPI_Win window)
{
    MPI_Win_post(group, 0, window);
    MPI_Win_start(group, 0, window);
    if (kernel_rank > 0)
        MPI_Put(cells + HALO, HALO, MPI_DOUBLE, kernel_before(), HALO, HALO, MPI_DOUBLE, window);
    if (kernel_rank < kernel_ranks - 1)
        MPI_Put(cells + n, HALO, MPI_DOUBLE, kernel_after(), 0, HALO, MPI_DOUBLE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
}

static void adopt(double *cells, const double *halo)
{
    for (int i = 0; i < HALO; i++) {
        if (kernel_rank > 0)
            cells[i] = halo[i];
        if (kernel_rank < kernel_ranks - 1)
            cells[HALO + n + i] = halo[HALO + i];
    }
}

/* The ends of the domain are fixed: cells outside of it are left as they are. */
static void step(double *restrict to, const double *restrict from, int width)
{
    int first = kernel_rank > 0 ? HALO - width : HALO, last = kernel_rank < kernel_ranks - 1 ? HALO + n + width : HALO + n;
    for (int i = first; i < last; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

int main(int argc, char **argv)
{
    int iterations;
    kernel_start(argc, argv, &iterations, &n);
    size_t cells = (size_t)n + 2 * HALO;
    double *now = malloc(cells * sizeof *now), *next = malloc(cells * sizeof *next), *halo;
    MPI_Win window;
    MPI_Win_allocate(2 * HALO * sizeof *halo, sizeof *halo, MPI_INFO_NULL, MPI_COMM_WORLD, &halo,
                     &window);
    kernel_window_bytes = 2 * HALO * sizeof *halo;
    for (size_t i = 0; i < cells; i++)
        now[i] = (double)i + (double)kernel_rank * n;
    memcpy(next, now, cells * sizeof *now);

    MPI_Group group = neighbours();
    for (int i = 0; i < iterations; i++) {
        phase_begin();
        exchange(now, group, window);
        phase_end(0, COMMUNICATES);
        phase_begin();
        adopt(now, halo);
        for (int j = 1; j <= STEPS; j++) {
            step(next, now, HALO - j);
            double *swap = now;
            now = next;
            next = swap;
        }
        phase_end(1, COMPUTES);
    }

    int right = 1;
    for (int i = HALO; i < HALO + n; i++)
        right &= fabs(now[i] - ((double)i + (double)kernel_rank * n)) < 1e-6;
    MPI_Group_free(&group);
    MPI_Win_free(&window);
    free(now);
    free(next);
    return kernel_end(right);
}
