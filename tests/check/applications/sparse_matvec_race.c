/* expect-sources: local-race A B */
/* Sparse matrix times vector with a list of neighbours; the off-diagonal part is multiplied before its values came. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rows, *start, *column;
    double *value;
} csr;

typedef struct {
    int nsend, nrecv;
    int *send_rank, *send_start, *send_index;
    int *recv_rank, *recv_start;
    double *send_buffer, *halo;
    MPI_Request *requests;
} comm_pattern;

typedef struct {
    csr diagonal, offd;
    comm_pattern pattern;
} matrix;

static void *get(size_t count, size_t each)
{
    void *p = calloc(count ? count : 1, each);
    if (!p) {
        fprintf(stderr, "no memory for %zu\n", count * each);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static void csr_band(csr *a, int rows, int columns, int shift)
{
    a->rows = rows;
    a->start = get((size_t)rows + 1, sizeof(int));
    a->column = get((size_t)rows, sizeof(int));
    a->value = get((size_t)rows, sizeof(double));
    for (int i = 0; i < rows; i++) {
        a->start[i + 1] = i + 1;
        a->column[i] = (i + shift) % columns;
        a->value[i] = 2;
    }
}

static void pattern_ring(comm_pattern *c, int n, int rank, int size)
{
    c->nsend = c->nrecv = 2;
    c->send_rank = get(2, sizeof(int));
    c->recv_rank = get(2, sizeof(int));
    c->send_start = get(3, sizeof(int));
    c->recv_start = get(3, sizeof(int));
    c->send_rank[0] = c->recv_rank[1] = (rank + 1) % size;
    c->send_rank[1] = c->recv_rank[0] = (rank + size - 1) % size;
    for (int k = 0; k < 2; k++) {
        c->send_start[k + 1] = c->send_start[k] + 2;
        c->recv_start[k + 1] = c->recv_start[k] + 2;
    }
    c->send_index = get(4, sizeof(int));
    c->send_index[0] = n - 2;
    c->send_index[1] = n - 1;
    c->send_index[2] = 0;
    c->send_index[3] = 1;
    c->send_buffer = get(4, sizeof(double));
    c->halo = get(4, sizeof(double));
    c->requests = get(4, sizeof(MPI_Request));
}

static void multiply_add(const csr *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            y[i] += a->value[k] * x[a->column[k]]; /* B */
}

static void matvec(matrix *m, const double *x, double *y)
{
    comm_pattern *c = &m->pattern;
    int r = 0;
    for (int k = 0; k < c->nrecv; k++)
        MPI_Irecv(c->halo + c->recv_start[k], c->recv_start[k + 1] - c->recv_start[k], MPI_DOUBLE, c->recv_rank[k], k, /* A */
                  MPI_COMM_WORLD, &c->requests[r++]);
    for (int k = 0; k < c->nsend; k++) {
        for (int i = c->send_start[k]; i < c->send_start[k + 1]; i++)
            c->send_buffer[i] = x[c->send_index[i]];
        MPI_Isend(c->send_buffer + c->send_start[k], c->send_start[k + 1] - c->send_start[k], MPI_DOUBLE, c->send_rank[k], k,
                  MPI_COMM_WORLD, &c->requests[r++]);
    }
    memset(y, 0, (size_t)m->diagonal.rows * sizeof(double));
    multiply_add(&m->diagonal, x, y);
    multiply_add(&m->offd, c->halo, y);
    MPI_Waitall(r, c->requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    matrix m;
    int rank, size, n = 30;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    csr_band(&m.diagonal, n, n, 1);
    csr_band(&m.offd, n, 4, 0);
    pattern_ring(&m.pattern, n, rank, size);
    double *x = get((size_t)n, sizeof *x), *y = get((size_t)n, sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = rank + i;
    for (int k = 0; k < 3; k++) {
        matvec(&m, x, y);
        memcpy(x, y, (size_t)n * sizeof(double));
    }
    printf("%g\n", x[0]);
    MPI_Finalize();
    return 0;
}
