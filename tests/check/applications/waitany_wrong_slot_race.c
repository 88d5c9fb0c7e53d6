/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* A collector takes results in the order they come; it reads the slot after the one that is complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct result {
    double mean, variance;
    int samples, worker;
};

struct collector {
    int workers;
    struct result *slots;
    MPI_Request *requests;
};

static int collector_init(struct collector *c, int workers)
{
    c->workers = workers;
    c->slots = calloc((size_t)workers, sizeof *c->slots);
    c->requests = malloc((size_t)workers * sizeof *c->requests);
    if (!c->slots || !c->requests)
        return -1;
    for (int w = 0; w < workers; w++)
        if (MPI_Irecv(&c->slots[w], sizeof(struct result), MPI_BYTE, w + 1, 4, MPI_COMM_WORLD, &c->requests[w])) /* A */
            return -1;
    return 0;
}

static void merge(struct result *total, const struct result *r)
{
    int n = total->samples + r->samples; /* B */
    if (n == 0)
        return;
    total->mean = (total->mean * total->samples + r->mean * r->samples) / n; /* C */
    total->samples = n;
}

static void collect(struct collector *c, struct result *total)
{
    for (int done = 0; done < c->workers; done++) {
        int which;
        if (MPI_Waitany(c->workers, c->requests, &which, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (which == MPI_UNDEFINED)
            break;
        merge(total, &c->slots[(which + 1) % c->workers]);
    }
}

static void work(int rank)
{
    struct result r = {0, 0, 0, rank};
    for (int i = 0; i < 100; i++) {
        double x = (double)((i * 37 + rank) % 101) / 101;
        r.samples++;
        r.mean += (x - r.mean) / r.samples;
    }
    MPI_Send(&r, sizeof r, MPI_BYTE, 0, 4, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 3) {
        fprintf(stderr, "at least two workers\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        struct collector c;
        struct result total = {0, 0, 0, 0};
        if (collector_init(&c, size - 1) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        collect(&c, &total);
        printf("%d samples, mean %g\n", total.samples, total.mean);
        free(c.slots);
        free(c.requests);
    } else {
        work(rank);
    }
    MPI_Finalize();
    return 0;
}
