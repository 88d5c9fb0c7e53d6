/* expect: none */
/* A distributed transposition: the pieces are put in order before all have come. */
#include <assert.h>
#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct plan {
    int n, local, size;
    double complex *work, *scratch;
    MPI_Comm comm;
} plan;

static plan *plan_create(MPI_Comm comm, int n)
{
    plan *p = malloc(sizeof(plan));
    assert(p != NULL);
    p->comm = comm;
    MPI_Comm_size(comm, &p->size);
    assert(n % p->size == 0);
    p->n = n;
    p->local = n / p->size;
    p->work = malloc(sizeof(double complex) * n * p->local);
    p->scratch = malloc(sizeof(double complex) * n * p->local);
    assert(p->work && p->scratch);
    return p;
}

static void plan_destroy(plan *p)
{
    free(p->work);
    free(p->scratch);
    free(p);
}

static void reorder(plan *p, double complex *out)
{
    for (int block = 0; block < p->size; block++)
        for (int i = 0; i < p->local; i++)
            for (int k = 0; k < p->local; k++)
                out[i * p->n + block * p->local + k] = p->scratch[(block * p->local + k) * p->local + i];
}

static void transpose(plan *p, double complex *out)
{
    MPI_Request request;
    int count = p->local * p->local;
    MPI_Ialltoall(p->work, count, MPI_C_DOUBLE_COMPLEX, p->scratch, count, MPI_C_DOUBLE_COMPLEX, p->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    reorder(p, out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    plan *p = plan_create(MPI_COMM_WORLD, 64);
    double complex *out = malloc(sizeof(double complex) * p->n * p->local);
    assert(out);
    for (int i = 0; i < p->n * p->local; i++)
        p->work[i] = i;
    transpose(p, out);
    printf("%g\n", creal(out[0]));
    free(out);
    plan_destroy(p);
    MPI_Finalize();
    return 0;
}
