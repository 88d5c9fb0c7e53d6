/* A call through a table of more functions than are followed one by one. None of them waits, none moves the buffer.
 * expect: local-race A B */
#include <mpi.h>
#include <stdlib.h>

struct halo {
    double *cells;
    MPI_Request request;
    double weight;
};

static void half(struct halo *h) { h->weight /= 2; }
static void twice(struct halo *h) { h->weight *= 2; }
static void more(struct halo *h) { h->weight += 1; }
static void less(struct halo *h) { h->weight -= 1; }
static void square(struct halo *h) { h->weight *= h->weight; }
static void clear(struct halo *h) { h->weight = 0; }

static void (*const steps[])(struct halo *) = {half, twice, more, less, square, clear};

int main(int argc, char **argv)
{
    struct halo *h = malloc(sizeof *h);
    h->cells = malloc(100 * sizeof *h->cells);
    MPI_Init(&argc, &argv);
    MPI_Irecv(h->cells, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h->request); /* A */
    steps[argc % 6](h);
    h->cells[3] = h->weight; /* B */
    MPI_Wait(&h->request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
