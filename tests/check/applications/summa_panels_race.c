/* expect-sources: local-race A C */
/* expect-sources: local-race D C */
/* SUMMA with panels broadcast ahead in row and column communicators; the product waits for the panels of the next step. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 4 };

struct tile {
    double a[B * B];
};

struct grid {
    MPI_Comm row, column;
    int q, r, c;
    struct tile a, b, product;
    struct tile pa[2], pb[2];
    MPI_Request request[2][2];
};

static void grid_make(struct grid *g)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->q = 1;
    while ((g->q + 1) * (g->q + 1) <= size)
        g->q++;
    if (g->q * g->q != size) {
        if (rank == 0)
            fprintf(stderr, "a square number of processes, please\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    g->r = rank / g->q;
    g->c = rank % g->q;
    MPI_Comm_split(MPI_COMM_WORLD, g->r, g->c, &g->row);
    MPI_Comm_split(MPI_COMM_WORLD, g->c, g->r, &g->column);
    for (int i = 0; i < 4; i++)
        g->request[i / 2][i % 2] = MPI_REQUEST_NULL;
    for (int i = 0; i < B * B; i++) {
        g->a.a[i] = rank + i;
        g->b.a[i] = rank - i;
        g->product.a[i] = 0;
    }
}

static void start(struct grid *g, int k)
{
    int s = k % 2;
    if (g->c == k)
        memcpy(&g->pa[s], &g->a, sizeof g->a);
    if (g->r == k)
        memcpy(&g->pb[s], &g->b, sizeof g->b);
    MPI_Ibcast(g->pa[s].a, B * B, MPI_DOUBLE, k, g->row, &g->request[s][0]); /* A */
    MPI_Ibcast(g->pb[s].a, B * B, MPI_DOUBLE, k, g->column, &g->request[s][1]); /* D */
}

static void multiply(struct tile *to, const struct tile *x, const struct tile *y)
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++)
                to->a[i * B + j] += x->a[i * B + k] * y->a[k * B + j]; /* C */
}

int main(int argc, char **argv)
{
    struct grid *g = malloc(sizeof *g);
    MPI_Init(&argc, &argv);
    if (!g)
        MPI_Abort(MPI_COMM_WORLD, 1);
    grid_make(g);
    start(g, 0);
    for (int k = 0; k < g->q; k++) {
        if (k + 1 < g->q)
            start(g, k + 1);
        MPI_Waitall(2, g->request[(k + 1) % 2], MPI_STATUSES_IGNORE);
        multiply(&g->product, &g->pa[k % 2], &g->pb[k % 2]);
        MPI_Waitall(2, g->request[k % 2], MPI_STATUSES_IGNORE);
    }
    printf("%g\n", g->product.a[0]);
    MPI_Comm_free(&g->row);
    MPI_Comm_free(&g->column);
    free(g);
    MPI_Finalize();
    return 0;
}
