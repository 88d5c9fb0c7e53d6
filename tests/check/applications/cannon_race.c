/* expect: local-race A B */
/* Cannon's matrix product on a square of processes; the block of B that is being received is multiplied. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct cannon {
    int q, n, rank;
    int left, right, up, down;
    double *a, *b, *c, *a_next, *b_next;
    MPI_Comm grid;
};

static double *block(int n, double value)
{
    double *p = malloc((size_t)n * (size_t)n * sizeof *p);
    if (p == NULL) {
        fprintf(stderr, "no memory for a block of %d\n", n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < n * n; i++)
        p[i] = value;
    return p;
}

static void cannon_open(struct cannon *m, int n)
{
    int size, periods[2] = {1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m->q = (int)(sqrt((double)size) + 0.5);
    if (m->q * m->q != size) {
        fprintf(stderr, "a square number of processes, please\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[2]){m->q, m->q}, periods, 1, &m->grid);
    MPI_Comm_rank(m->grid, &m->rank);
    MPI_Cart_shift(m->grid, 1, -1, &m->right, &m->left);
    MPI_Cart_shift(m->grid, 0, -1, &m->down, &m->up);
    m->n = n;
    m->a = block(n, 1);
    m->b = block(n, m->rank);
    m->c = block(n, 0);
    m->a_next = block(n, 0);
    m->b_next = block(n, 0);
}

static void multiply(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j]; /* B */
}

static void shift(struct cannon *m, MPI_Request r[4])
{
    int cells = m->n * m->n;
    MPI_Irecv(m->a_next, cells, MPI_DOUBLE, m->right, 1, m->grid, &r[0]);
    MPI_Irecv(m->b_next, cells, MPI_DOUBLE, m->down, 2, m->grid, &r[1]); /* A */
    MPI_Isend(m->a, cells, MPI_DOUBLE, m->left, 1, m->grid, &r[2]);
    MPI_Isend(m->b, cells, MPI_DOUBLE, m->up, 2, m->grid, &r[3]);
}

static void exchange_names(double **one, double **two)
{
    double *t = *one;
    *one = *two;
    *two = t;
}

int main(int argc, char **argv)
{
    struct cannon m;
    MPI_Init(&argc, &argv);
    cannon_open(&m, argc > 1 ? atoi(argv[1]) : 6);
    for (int round = 0; round < m.q; round++) {
        MPI_Request r[4];
        shift(&m, r);
        multiply(m.n, m.a, m.b_next, m.c);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        exchange_names(&m.a, &m.a_next);
        exchange_names(&m.b, &m.b_next);
    }
    if (m.rank == 0)
        printf("%g\n", m.c[0]);
    free(m.a);
    free(m.b);
    free(m.c);
    free(m.a_next);
    free(m.b_next);
    MPI_Comm_free(&m.grid);
    MPI_Finalize();
    return 0;
}
