/* expect: none */
/* Partial sums go up a tree of processes; a child's part is added before it has been received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct partial {
    int n;
    double *sum, *part[2];
};

static struct partial *partial_new(int n)
{
    struct partial *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    p->sum = calloc(n, sizeof(double));
    p->part[0] = calloc(n, sizeof(double));
    p->part[1] = calloc(n, sizeof(double));
    if (!p->sum || !p->part[0] || !p->part[1]) {
        free(p->sum);
        free(p->part[0]);
        free(p->part[1]);
        free(p);
        return NULL;
    }
    return p;
}

static void add(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static void climb(struct partial *p, int rank, int size)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int c = 0; c < 2; c++) {
        int child = 2 * rank + 1 + c;
        if (child < size)
            MPI_Irecv(p->part[c], p->n, MPI_DOUBLE, child, 5, MPI_COMM_WORLD, &requests[c]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int c = 0; c < 2; c++)
        if (2 * rank + 1 + c < size)
            add(p->sum, p->part[c], p->n);
    if (rank > 0)
        MPI_Send(p->sum, p->n, MPI_DOUBLE, (rank - 1) / 2, 5, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct partial *p = partial_new(512);
    if (!p) {
        fprintf(stderr, "%d: no memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < p->n; i++)
        p->sum[i] = rank + i;
    climb(p, rank, size);
    if (rank == 0)
        printf("%g\n", p->sum[0]);
    free(p->sum);
    free(p->part[0]);
    free(p->part[1]);
    free(p);
    MPI_Finalize();
    return 0;
}
