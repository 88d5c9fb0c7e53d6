/* expect-sources: local-race A B */
/* Messages of a list of neighbours are unpacked as they come in, but all of them at the first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct neighbour {
    int rank, count;
    double *in, *out;
};

struct exchange {
    int n;
    struct neighbour *list;
    MPI_Request *receives, *sends;
};

static void *get(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static struct exchange *exchange_create(int rank, int size)
{
    struct exchange *e = get(1, sizeof *e);
    e->list = get((size_t)size, sizeof *e->list);
    for (int other = 0; other < size; other++) {
        if (other == rank)
            continue;
        struct neighbour *nb = &e->list[e->n++];
        nb->rank = other;
        nb->count = 4 + (rank + other) % 3;
        nb->in = get((size_t)nb->count, sizeof(double));
        nb->out = get((size_t)nb->count, sizeof(double));
    }
    e->receives = get((size_t)e->n, sizeof(MPI_Request));
    e->sends = get((size_t)e->n, sizeof(MPI_Request));
    return e;
}

static void unpack(const struct neighbour *nb, double *sum)
{
    for (int i = 0; i < nb->count; i++)
        *sum += nb->in[i]; /* B */
}

static double finish(struct exchange *e)
{
    int left = e->n, done, *which = get((size_t)e->n, sizeof(int));
    double sum = 0;
    while (left > 0) {
        MPI_Waitsome(e->n, e->receives, &done, which, MPI_STATUSES_IGNORE);
        if (done == MPI_UNDEFINED)
            break;
        for (int i = 0; i < e->n; i++)
            unpack(&e->list[i], &sum);
        left -= done;
    }
    MPI_Waitall(e->n, e->sends, MPI_STATUSES_IGNORE);
    free(which);
    return sum;
}

static void start(struct exchange *e)
{
    for (int i = 0; i < e->n; i++) {
        struct neighbour *nb = &e->list[i];
        MPI_Irecv(nb->in, nb->count, MPI_DOUBLE, nb->rank, 3, MPI_COMM_WORLD, &e->receives[i]); /* A */
    }
    for (int i = 0; i < e->n; i++) {
        struct neighbour *nb = &e->list[i];
        for (int k = 0; k < nb->count; k++)
            nb->out[k] = k;
        MPI_Isend(nb->out, nb->count, MPI_DOUBLE, nb->rank, 3, MPI_COMM_WORLD, &e->sends[i]);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct exchange *e = exchange_create(rank, size);
    for (int round = 0; round < 2; round++) {
        start(e);
        printf("%d: %g\n", rank, finish(e));
    }
    for (int i = 0; i < e->n; i++) {
        free(e->list[i].in);
        free(e->list[i].out);
    }
    free(e->list);
    free(e->receives);
    free(e->sends);
    free(e);
    MPI_Finalize();
    return 0;
}
