/* A call through a table of many functions, one of which puts another buffer into the place of the first. */
#include <mpi.h>
#include <stdlib.h>

struct halo {
    double *cells, *spare;
    MPI_Request request;
    double weight;
};

static void half(struct halo *h) { h->weight /= 2; }
static void twice(struct halo *h) { h->weight *= 2; }
static void more(struct halo *h) { h->weight += 1; }
static void less(struct halo *h) { h->weight -= 1; }
static void square(struct halo *h) { h->weight *= h->weight; }
static void swap(struct halo *h)
{
    double *cells = h->cells;
    h->cells = h->spare;
    h->spare = cells;
}

static void (*const steps[])(struct halo *) = {half, twice, more, less, square, swap};

int main(int argc, char **argv)
{
    struct halo *h = malloc(sizeof *h);
    h->cells = malloc(100 * sizeof *h->cells);
    h->spare = malloc(100 * sizeof *h->spare);
    MPI_Init(&argc, &argv);
    MPI_Irecv(h->cells, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h->request);
    steps[5](h);
    steps[argc % 6](h);
    h->cells[3] = h->weight;
    MPI_Wait(&h->request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
