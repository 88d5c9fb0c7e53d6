/* expect: none */
/* Conjugate gradients with an overlapped scalar product: the result is used before it is there. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double *x, *r, *p, *q;
} solver;

static double *vector(int n)
{
    double *v = calloc(n, sizeof *v);
    if (v == NULL) {
        fprintf(stderr, "no memory for %d numbers\n", n);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return v;
}

static solver *solver_new(int n)
{
    solver *s = malloc(sizeof *s);
    if (!s)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    s->n = n;
    s->x = vector(n);
    s->r = vector(n);
    s->p = vector(n);
    s->q = vector(n);
    return s;
}

static void solver_delete(solver *s)
{
    free(s->x);
    free(s->r);
    free(s->p);
    free(s->q);
    free(s);
}

static double dot_local(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void apply(solver *s)
{
    for (int i = 1; i < s->n - 1; i++)
        s->q[i] = 2 * s->p[i] - s->p[i - 1] - s->p[i + 1];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    solver *s = solver_new(argc > 1 ? atoi(argv[1]) : 1000);
    for (int i = 0; i < s->n; i++)
        s->r[i] = s->p[i] = 1.0 / (rank + i + 1);
    double rho = 1;
    for (int k = 0; k < 50 && sqrt(rho) > 1e-9; k++) {
        double mine[2], all[2];
        MPI_Request request;
        apply(s);
        mine[0] = dot_local(s->p, s->q, s->n);
        mine[1] = dot_local(s->r, s->r, s->n);
        MPI_Iallreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        double alpha = all[1] / all[0];
        for (int i = 0; i < s->n; i++)
            s->x[i] += alpha * s->p[i];
        for (int i = 0; i < s->n; i++)
            s->r[i] -= alpha * s->q[i];
        rho = all[1];
    }
    if (rank == 0)
        printf("%g\n", rho);
    solver_delete(s);
    MPI_Finalize();
    return 0;
}
