/* expect: none */
/* Leaving particles are packed per neighbour; the buffers are emptied for the next step before the sends are over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_NEIGHBOURS 8
#define CHECK(call)                                                   \
    do {                                                              \
        if ((call) != MPI_SUCCESS) {                                  \
            fprintf(stderr, "%s:%d: MPI failed\n", __FILE__, __LINE__); \
            MPI_Abort(MPI_COMM_WORLD, 1);                             \
        }                                                             \
    } while (0)

typedef struct {
    double x[3], v[3];
} particle;

typedef struct {
    int rank, nout, nin;
    particle *out, *in;
} neighbour;

typedef struct {
    int count, capacity;
    neighbour list[MAX_NEIGHBOURS];
    MPI_Request requests[2 * MAX_NEIGHBOURS];
} exchange;

static void exchange_create(exchange *e, int rank, int size, int capacity)
{
    e->count = 2;
    e->capacity = capacity;
    for (int i = 0; i < e->count; i++) {
        neighbour *n = &e->list[i];
        n->rank = (rank + (i ? 1 : size - 1)) % size;
        n->nout = n->nin = 0;
        n->out = malloc(capacity * sizeof *n->out);
        n->in = malloc(capacity * sizeof *n->in);
        if (!n->out || !n->in)
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static void leave(exchange *e, int which, const particle *p)
{
    neighbour *n = &e->list[which];
    if (n->nout < e->capacity)
        n->out[n->nout++] = *p;
}

static void exchange_begin(exchange *e)
{
    for (int i = 0; i < e->count; i++) {
        neighbour *n = &e->list[i];
        CHECK(MPI_Irecv(n->in, 6 * e->capacity, MPI_DOUBLE, n->rank, 7, MPI_COMM_WORLD, &e->requests[2 * i]));
        CHECK(MPI_Isend(n->out, 6 * e->capacity, MPI_DOUBLE, n->rank, 7, MPI_COMM_WORLD, &e->requests[2 * i + 1]));
    }
}

static void exchange_clear(exchange *e)
{
    for (int i = 0; i < e->count; i++)
        for (int k = 0; k < e->capacity; k++)
            e->list[i].out[k].x[0] = -1;
}

static void exchange_end(exchange *e)
{
    CHECK(MPI_Waitall(2 * e->count, e->requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    int rank, size;
    exchange e;
    particle p = {{0, 0, 0}, {1, 0, 0}};
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    exchange_create(&e, rank, size, 256);
    for (int step = 0; step < 20; step++) {
        p.x[0] += p.v[0];
        leave(&e, step & 1, &p);
        exchange_begin(&e);
        exchange_end(&e);
        exchange_clear(&e);
    }
    CHECK(MPI_Finalize());
    return 0;
}
