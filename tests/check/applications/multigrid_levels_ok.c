/* expect: none */
/* Several grids of different size, each with borders of its own; those of a level are smoothed too early. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 4

struct level {
    int n;
    double *u, *send_left, *send_right, *recv_left, *recv_right;
    MPI_Request requests[4];
};

struct hierarchy {
    struct level levels[LEVELS];
    int left, right;
};

static double *numbers(int n)
{
    double *p = calloc(n, sizeof *p);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static void build(struct hierarchy *h, int n)
{
    for (int l = 0; l < LEVELS; l++, n /= 2) {
        struct level *v = &h->levels[l];
        v->n = n;
        v->u = numbers(n * n);
        v->send_left = numbers(n);
        v->send_right = numbers(n);
        v->recv_left = numbers(n);
        v->recv_right = numbers(n);
    }
}

static void begin(struct hierarchy *h, int l)
{
    struct level *v = &h->levels[l];
    for (int i = 0; i < v->n; i++) {
        v->send_left[i] = v->u[i * v->n];
        v->send_right[i] = v->u[i * v->n + v->n - 1];
    }
    MPI_Irecv(v->recv_left, v->n, MPI_DOUBLE, h->left, l, MPI_COMM_WORLD, &v->requests[0]);
    MPI_Irecv(v->recv_right, v->n, MPI_DOUBLE, h->right, l, MPI_COMM_WORLD, &v->requests[1]);
    MPI_Isend(v->send_left, v->n, MPI_DOUBLE, h->left, l, MPI_COMM_WORLD, &v->requests[2]);
    MPI_Isend(v->send_right, v->n, MPI_DOUBLE, h->right, l, MPI_COMM_WORLD, &v->requests[3]);
}

static void end(struct hierarchy *h, int l)
{
    MPI_Waitall(4, h->levels[l].requests, MPI_STATUSES_IGNORE);
}

static void smooth(struct level *v)
{
    for (int i = 0; i < v->n; i++)
        v->u[i * v->n] = 0.5 * (v->u[i * v->n] + v->recv_left[i]);
}

static void cycle(struct hierarchy *h)
{
    for (int l = 0; l < LEVELS; l++) {
        begin(h, l);
        end(h, l);
        smooth(&h->levels[l]);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    struct hierarchy h;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    h.left = (rank + size - 1) % size;
    h.right = (rank + 1) % size;
    build(&h, 64);
    for (int i = 0; i < 10; i++)
        cycle(&h);
    printf("%g\n", h.levels[0].u[0]);
    MPI_Finalize();
    return 0;
}
