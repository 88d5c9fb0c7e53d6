/* expect: local-race A B */
/* A cube exchanges six faces, packed into buffers of their own; opposite faces share one by mistake. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FACES = 6 };

struct cube {
    int n, neighbour[FACES];
    double *cells;
    double *out[FACES], *in[FACES];
    MPI_Comm comm;
};

static size_t cell(const struct cube *c, int i, int j, int k)
{
    return ((size_t)i * (size_t)c->n + (size_t)j) * (size_t)c->n + (size_t)k;
}

static void pack(const struct cube *c, int face, double *to)
{
    int axis = face / 2, at = face % 2 ? c->n - 1 : 0, m = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++)
            to[m++] = c->cells[axis == 0 ? cell(c, at, i, j) : axis == 1 ? cell(c, i, at, j) : cell(c, i, j, at)]; /* B */
}

static void unpack(struct cube *c, int face, const double *from)
{
    int axis = face / 2, at = face % 2 ? c->n - 1 : 0, m = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++)
            c->cells[axis == 0 ? cell(c, at, i, j) : axis == 1 ? cell(c, i, at, j) : cell(c, i, j, at)] += from[m++];
}

static void cube_make(struct cube *c, int n)
{
    int size, dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &c->comm);
    for (int axis = 0; axis < 3; axis++)
        MPI_Cart_shift(c->comm, axis, 1, &c->neighbour[2 * axis], &c->neighbour[2 * axis + 1]);
    c->n = n;
    c->cells = calloc((size_t)n * (size_t)n * (size_t)n, sizeof(double));
    for (int face = 0; face < FACES; face++) {
        c->in[face] = malloc((size_t)n * (size_t)n * sizeof(double));
        c->out[face] = malloc((size_t)n * (size_t)n * sizeof(double));
        if (!c->in[face] || !c->out[face])
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void cube_exchange(struct cube *c)
{
    MPI_Request requests[2 * FACES];
    int faces = c->n * c->n;
    for (int face = 0; face < FACES; face++)
        MPI_Irecv(c->in[face], faces, MPI_DOUBLE, c->neighbour[face], face ^ 1, c->comm, &requests[face]);
    for (int face = 0; face < FACES; face++) {
        double *buffer = c->out[face / 2];
        pack(c, face, buffer);
        MPI_Isend(buffer, faces, MPI_DOUBLE, c->neighbour[face], face, c->comm, &requests[FACES + face]); /* A */
    }
    MPI_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
    for (int face = 0; face < FACES; face++)
        unpack(c, face, c->in[face]);
}

static void cube_drop(struct cube *c)
{
    for (int face = 0; face < FACES; face++) {
        free(c->in[face]);
        free(c->out[face]);
    }
    free(c->cells);
    MPI_Comm_free(&c->comm);
}

int main(int argc, char **argv)
{
    struct cube c;
    MPI_Init(&argc, &argv);
    cube_make(&c, 4);
    for (int i = 0; i < 2; i++)
        cube_exchange(&c);
    cube_drop(&c);
    MPI_Finalize();
    return 0;
}
