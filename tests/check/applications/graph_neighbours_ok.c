/* expect: none */
/* A graph's neighbours exchange their border values at once; the border is relaxed while it is sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct graph {
    int degree, *neighbours, *counts, *displacements, total;
    double *out, *in;
    MPI_Comm comm;
};

static void graph_build(struct graph *g)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->degree = size > 2 ? 2 : 1;
    g->neighbours = malloc(2 * sizeof(int));
    g->counts = malloc(2 * sizeof(int));
    g->displacements = malloc(2 * sizeof(int));
    if (!g->neighbours || !g->counts || !g->displacements)
        MPI_Abort(MPI_COMM_WORLD, 1);
    g->neighbours[0] = (rank + 1) % size;
    g->neighbours[1] = (rank + size - 1) % size;
    g->total = 0;
    for (int i = 0; i < g->degree; i++) {
        g->counts[i] = 5;
        g->displacements[i] = g->total;
        g->total += g->counts[i];
    }
    g->out = calloc((size_t)g->total, sizeof(double));
    g->in = calloc((size_t)g->total, sizeof(double));
    if (!g->out || !g->in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, g->degree, g->neighbours, MPI_UNWEIGHTED, g->degree, g->neighbours, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &g->comm);
}

static void relax_border(struct graph *g)
{
    for (int i = 0; i < g->total; i++)
        g->out[i] = 0.5 * g->out[i] + 1;
}

static double relax_inside(double x)
{
    for (int i = 0; i < 50; i++)
        x = 0.5 * x + 1;
    return x;
}

static void iterate(struct graph *g, double *x)
{
    MPI_Request request;
    MPI_Ineighbor_alltoallv(g->out, g->counts, g->displacements, MPI_DOUBLE, g->in, g->counts, g->displacements, MPI_DOUBLE, g->comm, &request);
    *x = relax_inside(*x);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    relax_border(g);
    for (int i = 0; i < g->total; i++)
        *x += g->in[i];
}

static void graph_drop(struct graph *g)
{
    MPI_Comm_free(&g->comm);
    free(g->neighbours);
    free(g->counts);
    free(g->displacements);
    free(g->out);
    free(g->in);
}

int main(int argc, char **argv)
{
    struct graph g;
    double x = 0;
    MPI_Init(&argc, &argv);
    graph_build(&g);
    for (int i = 0; i < 4; i++)
        iterate(&g, &x);
    printf("%g\n", x);
    graph_drop(&g);
    MPI_Finalize();
    return 0;
}
