/* Conjugate gradients with a nonblocking reduction that overlaps the product; alpha is made from sums that are there. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct vector {
    int n;
    double *a;
} vector;

static vector vector_new(int n, double value)
{
    vector v = {n, malloc((size_t)n * sizeof(double))};
    if (v.a == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        v.a[i] = value;
    return v;
}

static double local_dot(const vector *x, const vector *y)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++)
        sum += x->a[i] * y->a[i];
    return sum;
}

static void axpy(vector *y, double alpha, const vector *x)
{
    for (int i = 0; i < y->n; i++)
        y->a[i] += alpha * x->a[i];
}

static void apply(const vector *x, vector *y)
{
    for (int i = 0; i < x->n; i++)
        y->a[i] = 2 * x->a[i] - (i > 0 ? x->a[i - 1] : 0) - (i + 1 < x->n ? x->a[i + 1] : 0);
}

struct sums {
    double rr, rw;
};

static int solve(vector *x, vector *r, double tolerance, int limit)
{
    vector w = vector_new(x->n, 0), q = vector_new(x->n, 0);
    int iterations = 0;
    apply(r, &w);
    while (iterations < limit) {
        struct sums mine = {local_dot(r, r), local_dot(r, &w)}, all = {0, 0};
        MPI_Request request;
        double alpha;
        MPI_Iallreduce(&mine, &all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        apply(&w, &q);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        alpha = all.rr / all.rw;
        if (sqrt(all.rr) < tolerance)
            break;
        axpy(x, alpha, r);
        axpy(r, -alpha, &w);
        axpy(&w, -alpha, &q);
        iterations++;
    }
    free(w.a);
    free(q.a);
    return iterations;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 50, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    vector x = vector_new(n, 0), r = vector_new(n, 1);
    int iterations = solve(&x, &r, 1e-8, 20);
    if (rank == 0)
        printf("%d iterations\n", iterations);
    free(x.a);
    free(r.a);
    MPI_Finalize();
    return 0;
}
