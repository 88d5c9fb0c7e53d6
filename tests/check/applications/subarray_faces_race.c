/* sources-only: the types come from an array, and the right twin gets a warning where it is not executed */
/* expect: local-race A B */
/* expect: local-race A C */
/* Faces of a 3-D grid are received in place by subarray types; the stencil runs over all cells before they have come. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 6
#define AT(g, i, j, k) ((g)->u[((i) * (N + 2) + (j)) * (N + 2) + (k)])

typedef struct {
    double *u, *v;
    MPI_Comm cart;
    MPI_Datatype send[6], recv[6];
    int peer[6];
} grid;

static MPI_Datatype face(int axis, int at)
{
    int sizes[3] = {N + 2, N + 2, N + 2}, subsizes[3] = {N, N, N}, starts[3] = {1, 1, 1};
    MPI_Datatype type;
    subsizes[axis] = 1;
    starts[axis] = at;
    MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void grid_create(grid *g)
{
    int size, dims[3] = {0, 0, 0}, periods[3] = {0, 0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &g->cart);
    for (int axis = 0; axis < 3; axis++) {
        MPI_Cart_shift(g->cart, axis, 1, &g->peer[2 * axis], &g->peer[2 * axis + 1]);
        g->send[2 * axis] = face(axis, 1);
        g->send[2 * axis + 1] = face(axis, N);
        g->recv[2 * axis] = face(axis, 0);
        g->recv[2 * axis + 1] = face(axis, N + 1);
    }
    g->u = calloc((N + 2) * (N + 2) * (N + 2), sizeof(double));
    g->v = calloc((N + 2) * (N + 2) * (N + 2), sizeof(double));
    if (g->u == NULL || g->v == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void grid_exchange(grid *g, MPI_Request requests[12])
{
    int n = 0;
    for (int f = 0; f < 6; f++)
        MPI_Irecv(g->u, 1, g->recv[f], g->peer[f], f ^ 1, g->cart, &requests[n++]); /* A */
    for (int f = 0; f < 6; f++)
        MPI_Isend(g->u, 1, g->send[f], g->peer[f], f, g->cart, &requests[n++]);
}

static void stencil(grid *g)
{
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            for (int k = 1; k <= N; k++) {
                double sum = AT(g, i - 1, j, k) + AT(g, i + 1, j, k); /* B */
                sum += AT(g, i, j - 1, k) + AT(g, i, j + 1, k); /* C */
                sum += AT(g, i, j, k - 1) + AT(g, i, j, k + 1);
                g->v[(i * (N + 2) + j) * (N + 2) + k] = sum / 6;
            }
}

int main(int argc, char **argv)
{
    grid g;
    MPI_Request requests[12];
    MPI_Init(&argc, &argv);
    grid_create(&g);
    for (int i = 0; i < (N + 2) * (N + 2) * (N + 2); i++)
        g.u[i] = i % 5;
    for (int step = 0; step < 3; step++) {
        double *swap;
        grid_exchange(&g, requests);
        stencil(&g);
        MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
        swap = g.u;
        g.u = g.v;
        g.v = swap;
    }
    printf("%g\n", AT(&g, 1, 1, 1));
    for (int f = 0; f < 6; f++) {
        MPI_Type_free(&g.send[f]);
        MPI_Type_free(&g.recv[f]);
    }
    free(g.u);
    free(g.v);
    MPI_Comm_free(&g.cart);
    MPI_Finalize();
    return 0;
}
