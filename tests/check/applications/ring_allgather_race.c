/* expect: local-race A B */
/* Blocks go round a ring; the block that is being sent is replaced by the one that came last. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    int rank, size, next, previous, n;
    double *block, *incoming;
};

static void ring_init(struct ring *r, int n)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->size);
    r->next = (r->rank + 1) % r->size;
    r->previous = (r->rank + r->size - 1) % r->size;
    r->n = n;
    r->block = malloc(n * sizeof(double));
    r->incoming = malloc(n * sizeof(double));
    if (r->block == NULL || r->incoming == NULL) {
        fprintf(stderr, "ring: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void consume(double *total, const double *block, int n)
{
    for (int i = 0; i < n; i++)
        *total += block[i];
}

static void turn(struct ring *r)
{
    MPI_Request send;
    MPI_Isend(r->block, r->n, MPI_DOUBLE, r->next, 3, MPI_COMM_WORLD, &send); /* A */
    MPI_Recv(r->incoming, r->n, MPI_DOUBLE, r->previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(r->block, r->incoming, r->n * sizeof(double)); /* B */
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    struct ring r;
    double total = 0;
    MPI_Init(&argc, &argv);
    ring_init(&r, 2048);
    for (int i = 0; i < r.n; i++)
        r.block[i] = r.rank;
    for (int i = 0; i < r.size; i++) {
        consume(&total, r.block, r.n);
        turn(&r);
    }
    printf("%g\n", total);
    free(r.block);
    free(r.incoming);
    MPI_Finalize();
    return 0;
}
