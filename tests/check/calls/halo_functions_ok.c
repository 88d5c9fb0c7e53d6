/* expect: none */
/* Post, compute and finish as most codes write it; the computation comes too early. */
#include <mpi.h>
#include <stdlib.h>

struct halo {
    int n, rank, nreq;
    double *u;
    MPI_Request req[2];
};
volatile double seen;

static void halo_post(struct halo *h)
{
    h->nreq = 0;
    MPI_Irecv(&h->u[0], 1, MPI_DOUBLE, h->rank, 0, MPI_COMM_WORLD, &h->req[h->nreq++]); /* A */
    MPI_Isend(&h->u[h->n], 1, MPI_DOUBLE, h->rank, 0, MPI_COMM_WORLD, &h->req[h->nreq++]);
}

static void halo_finish(struct halo *h)
{
    MPI_Waitall(h->nreq, h->req, MPI_STATUSES_IGNORE);
}

static void halo_use(struct halo *h)
{
    seen = h->u[0]; /* B */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct halo h = {.n = 100, .u = malloc(102 * sizeof(double))};
    MPI_Comm_rank(MPI_COMM_WORLD, &h.rank);
    for (int step = 0; step < 10; step++) {
        halo_post(&h);
        halo_finish(&h);
        halo_use(&h);
    }
    free(h.u);
    MPI_Finalize();
    return 0;
}
