/* expect: local-race A B */
/* Parts of different length are gathered in the background; the sender changes its own meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct gathering {
    int *counts, *displacements, total;
    double *all;
};

static void gathering_plan(struct gathering *g, int mine, int rank, int size)
{
    g->counts = calloc(size, sizeof(int));
    g->displacements = calloc(size, sizeof(int));
    if (!g->counts || !g->displacements)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gather(&mine, 1, MPI_INT, g->counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    g->total = 0;
    for (int i = 0; rank == 0 && i < size; i++) {
        g->displacements[i] = g->total;
        g->total += g->counts[i];
    }
    g->all = malloc((g->total + 1) * sizeof(double));
    if (!g->all)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void advance(double *part, int n)
{
    for (int i = 0; i < n; i++)
        part[i] *= 1.01; /* B */
}

int main(int argc, char **argv)
{
    int rank, size;
    struct gathering g;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = 100 + rank;
    double *part = calloc(mine, sizeof *part);
    if (!part)
        MPI_Abort(MPI_COMM_WORLD, 1);
    gathering_plan(&g, mine, rank, size);
    for (int step = 0; step < 10; step++) {
        MPI_Igatherv(part, mine, MPI_DOUBLE, g.all, g.counts, g.displacements, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request); /* A */
        advance(part, mine);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(part);
    MPI_Finalize();
    return 0;
}
