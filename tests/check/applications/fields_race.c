/* expect: local-race A B */
/* expect: local-race B C */
/* Several fields with halos, handled in loops by a table of descriptions. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DENSITY, ENERGY, PRESSURE, NFIELDS };

typedef struct {
    const char *name;
    double *data;
    int halo;
} field;

typedef struct {
    int nx, left, right;
    field fields[NFIELDS];
    MPI_Request *requests;
    int nrequests;
} chunk;

static void chunk_init(chunk *c, int nx, int left, int right)
{
    static const char *const names[NFIELDS] = {"density", "energy", "pressure"};
    c->nx = nx;
    c->left = left;
    c->right = right;
    c->nrequests = 0;
    c->requests = malloc(4 * NFIELDS * sizeof(MPI_Request));
    for (int f = 0; f < NFIELDS; f++) {
        c->fields[f].name = names[f];
        c->fields[f].halo = 2;
        c->fields[f].data = calloc(nx + 4, sizeof(double));
        if (!c->fields[f].data || !c->requests) {
            fprintf(stderr, "no memory for %s\n", names[f]);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static void update_halo(chunk *c)
{
    c->nrequests = 0;
    for (int f = 0; f < NFIELDS; f++) {
        field *d = &c->fields[f];
        MPI_Irecv(d->data, d->halo, MPI_DOUBLE, c->left, 2 * f, MPI_COMM_WORLD, &c->requests[c->nrequests++]);
        MPI_Irecv(d->data + c->nx + 2, d->halo, MPI_DOUBLE, c->right, 2 * f + 1, MPI_COMM_WORLD, &c->requests[c->nrequests++]);
        MPI_Isend(d->data + 2, d->halo, MPI_DOUBLE, c->left, 2 * f + 1, MPI_COMM_WORLD, &c->requests[c->nrequests++]); /* A */
        MPI_Isend(d->data + c->nx, d->halo, MPI_DOUBLE, c->right, 2 * f, MPI_COMM_WORLD, &c->requests[c->nrequests++]); /* C */
    }
}

static void wait_halo(chunk *c)
{
    MPI_Waitall(c->nrequests, c->requests, MPI_STATUSES_IGNORE);
    c->nrequests = 0;
}

static void ideal_gas(chunk *c)
{
    double *p = c->fields[PRESSURE].data, *d = c->fields[DENSITY].data, *e = c->fields[ENERGY].data;
    for (int i = 2; i < c->nx + 2; i++)
        p[i] = 0.4 * d[i] * e[i]; /* B */
}

int main(int argc, char **argv)
{
    int rank, size;
    chunk c;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    chunk_init(&c, 100, rank ? rank - 1 : MPI_PROC_NULL, rank + 1 < size ? rank + 1 : MPI_PROC_NULL);
    for (int step = 0; step < 3; step++) {
        update_halo(&c);
        ideal_gas(&c);
        wait_halo(&c);
    }
    MPI_Finalize();
    return 0;
}
