/* expect: none */
/* Two grids in a struct that change places each step; the edge row is relaxed before the halo has come. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int rows, cols;
    double *now, *next;
};

struct neighbours {
    int up, down;
};

static void fail(const char *what)
{
    fprintf(stderr, "heat: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double *row(const struct grid *g, double *field, int r)
{
    return field + (size_t)r * g->cols;
}

static void grid_init(struct grid *g, int rows, int cols)
{
    g->rows = rows;
    g->cols = cols;
    g->now = calloc((size_t)(rows + 2) * cols, sizeof(double));
    g->next = calloc((size_t)(rows + 2) * cols, sizeof(double));
    if (!g->now || !g->next)
        fail("out of memory");
}

static void relax_row(struct grid *g, int r)
{
    for (int c = 1; c < g->cols - 1; c++)
        row(g, g->next, r)[c] = 0.25 * (row(g, g->now, r - 1)[c] + row(g, g->now, r + 1)[c] +
                                        row(g, g->now, r)[c - 1] + row(g, g->now, r)[c + 1]);
}

static void halo_begin(struct grid *g, const struct neighbours *n, MPI_Request req[4])
{
    MPI_Irecv(row(g, g->now, 0), g->cols, MPI_DOUBLE, n->up, 0, MPI_COMM_WORLD, &req[0]);
    MPI_Irecv(row(g, g->now, g->rows + 1), g->cols, MPI_DOUBLE, n->down, 1, MPI_COMM_WORLD, &req[1]);
    MPI_Isend(row(g, g->now, 1), g->cols, MPI_DOUBLE, n->up, 1, MPI_COMM_WORLD, &req[2]);
    MPI_Isend(row(g, g->now, g->rows), g->cols, MPI_DOUBLE, n->down, 0, MPI_COMM_WORLD, &req[3]);
}

static void swap(struct grid *g)
{
    double *t = g->now;
    g->now = g->next;
    g->next = t;
}

int main(int argc, char **argv)
{
    struct grid g;
    struct neighbours n;
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Request req[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n.up = (rank + size - 1) % size;
    n.down = (rank + 1) % size;
    grid_init(&g, 64, 128);
    for (int s = 0; s < steps; s++) {
        halo_begin(&g, &n, req);
        for (int r = 2; r < g.rows; r++)
            relax_row(&g, r);
        MPI_Waitall(4, req, MPI_STATUSES_IGNORE);
        relax_row(&g, 1);
        relax_row(&g, g.rows);
        swap(&g);
    }
    printf("%d: %f\n", rank, g.now[g.cols + 1]);
    free(g.now);
    free(g.next);
    MPI_Finalize();
    return 0;
}
