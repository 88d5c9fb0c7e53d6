/* expect: none */
/* sources-only: in optimised bitcode a doubt remains, and is told */
/* A grid of px times py processes, both from the command line; the columns next to the border are computed before the halo is there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int px, py, n;
    int left, right, up, down;
    MPI_Comm comm;
    MPI_Datatype column;
    double *now, *next;
};

static void usage(const char *name)
{
    fprintf(stderr, "usage: %s PX PY CELLS\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void read_arguments(struct grid *g, int argc, char **argv)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 4)
        usage(argv[0]);
    g->px = atoi(argv[1]);
    g->py = atoi(argv[2]);
    g->n = atoi(argv[3]);
    if (g->px < 1 || g->py < 1 || g->n < 2)
        usage(argv[0]);
    if (g->px * g->py != size) {
        fprintf(stderr, "%d times %d is not %d\n", g->px, g->py, size);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void grid_open(struct grid *g)
{
    int dims[2] = {g->px, g->py}, periods[2] = {0, 0};
    size_t cells = (size_t)(g->n + 2) * (size_t)(g->n + 2);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &g->comm);
    MPI_Cart_shift(g->comm, 0, 1, &g->left, &g->right);
    MPI_Cart_shift(g->comm, 1, 1, &g->up, &g->down);
    MPI_Type_vector(g->n, 1, g->n + 2, MPI_DOUBLE, &g->column);
    MPI_Type_commit(&g->column);
    g->now = calloc(cells, sizeof(double));
    g->next = calloc(cells, sizeof(double));
    if (!g->now || !g->next)
        MPI_Abort(g->comm, 4);
}

static void exchange(struct grid *g, MPI_Request requests[8])
{
    int w = g->n + 2;
    MPI_Irecv(&g->now[w], 1, g->column, g->left, 0, g->comm, &requests[0]);
    MPI_Irecv(&g->now[w + g->n + 1], 1, g->column, g->right, 0, g->comm, &requests[1]);
    MPI_Irecv(&g->now[1], g->n, MPI_DOUBLE, g->up, 1, g->comm, &requests[2]);
    MPI_Irecv(&g->now[(g->n + 1) * w + 1], g->n, MPI_DOUBLE, g->down, 1, g->comm, &requests[3]);
    MPI_Isend(&g->now[w + 1], 1, g->column, g->left, 0, g->comm, &requests[4]);
    MPI_Isend(&g->now[w + g->n], 1, g->column, g->right, 0, g->comm, &requests[5]);
    MPI_Isend(&g->now[w + 1], g->n, MPI_DOUBLE, g->up, 1, g->comm, &requests[6]);
    MPI_Isend(&g->now[g->n * w + 1], g->n, MPI_DOUBLE, g->down, 1, g->comm, &requests[7]);
}

static void relax(struct grid *g, int from, int to)
{
    int w = g->n + 2;
    for (int j = from; j <= to; j++)
        for (int i = 1; i <= g->n; i++)
            g->next[j * w + i] = 0.5 * (g->now[j * w + i - 1] + g->now[j * w + i + 1]);
}

static void step(struct grid *g)
{
    MPI_Request requests[8];
    exchange(g, requests);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    relax(g, 2, g->n - 1);
    relax(g, 1, 1);
    relax(g, g->n, g->n);
    double *swap = g->now;
    g->now = g->next;
    g->next = swap;
}

int main(int argc, char **argv)
{
    struct grid g = {0};
    MPI_Init(&argc, &argv);
    read_arguments(&g, argc, argv);
    grid_open(&g);
    for (int i = 0; i < 3; i++)
        step(&g);
    free(g.now);
    free(g.next);
    MPI_Type_free(&g.column);
    MPI_Comm_free(&g.comm);
    MPI_Finalize();
    return 0;
}
