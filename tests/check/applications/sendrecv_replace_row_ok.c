/* Rows rotate by MPI_Sendrecv_replace; the report's send is over by then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                        \
    do {                                                                   \
        int code_ = (call);                                                \
        if (code_ != MPI_SUCCESS) {                                        \
            fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
            MPI_Abort(MPI_COMM_WORLD, code_);                              \
        }                                                                  \
    } while (0)

typedef struct {
    int rank, size, n;
    float *row;
    MPI_Request report;
} ring;

static void ring_init(ring *r, int n)
{
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &r->rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &r->size));
    r->n = n;
    r->row = malloc(sizeof(float) * (size_t)n);
    if (!r->row)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        r->row[i] = (float)(r->rank * n + i);
    r->report = MPI_REQUEST_NULL;
}

static void ring_report(ring *r, int step)
{
    if (r->rank != 0)
        CHECK(MPI_Isend(r->row, r->n, MPI_FLOAT, 0, 100 + step, MPI_COMM_WORLD, &r->report));
}

static void ring_rotate(ring *r)
{
    int next = (r->rank + 1) % r->size, previous = (r->rank + r->size - 1) % r->size;
    CHECK(MPI_Sendrecv_replace(r->row, r->n, MPI_FLOAT, next, 1, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static float ring_collect(ring *r, int step)
{
    float sum = 0, *in = malloc(sizeof(float) * (size_t)r->n);
    if (!in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int from = 1; r->rank == 0 && from < r->size; from++) {
        CHECK(MPI_Recv(in, r->n, MPI_FLOAT, from, 100 + step, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        sum += in[0];
    }
    free(in);
    return sum;
}

int main(int argc, char **argv)
{
    ring r;
    float sum = 0;
    CHECK(MPI_Init(&argc, &argv));
    ring_init(&r, 2000);
    for (int step = 0; step < r.size; step++) {
        ring_report(&r, step);
        sum += ring_collect(&r, step);
        CHECK(MPI_Wait(&r.report, MPI_STATUS_IGNORE));
        ring_rotate(&r);
    }
    if (r.rank == 0)
        printf("%g\n", (double)sum);
    free(r.row);
    CHECK(MPI_Finalize());
    return 0;
}
