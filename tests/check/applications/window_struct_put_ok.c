/* expect: none */
/* Borders are put into the neighbour's window; it reads them before the fence that closes the epoch. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 256

typedef struct {
    double *cells; /* N, and a border cell on each side */
    MPI_Win win;
    int rank, size;
} domain;

static void die(const char *message, int code)
{
    fprintf(stderr, "%s\n", message);
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void domain_create(domain *d)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &d->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d->size);
    int error = MPI_Win_allocate((N + 2) * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &d->cells, &d->win);
    if (error != MPI_SUCCESS)
        die("no window", error);
    for (int i = 0; i < N + 2; i++)
        d->cells[i] = d->rank;
    MPI_Win_fence(0, d->win);
}

static void put_borders(domain *d)
{
    int left = (d->rank + d->size - 1) % d->size, right = (d->rank + 1) % d->size;
    MPI_Put(&d->cells[1], 1, MPI_DOUBLE, left, N + 1, 1, MPI_DOUBLE, d->win);
    MPI_Put(&d->cells[N], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, d->win);
}

static double edge(const domain *d)
{
    return 0.5 * (d->cells[N - 1] + d->cells[N + 1]);
}

int main(int argc, char **argv)
{
    domain d;
    double sum = 0;
    MPI_Init(&argc, &argv);
    domain_create(&d);
    for (int step = 0; step < 10; step++) {
        put_borders(&d);
        MPI_Win_fence(0, d.win);
        sum += edge(&d);
        MPI_Win_fence(0, d.win);
    }
    printf("%g\n", sum);
    MPI_Win_free(&d.win);
    MPI_Finalize();
    return 0;
}
