/* A library for exchanges behind an opaque handle, without a program; accumulating into the outgoing buffer
   happens before start. */
#include <mpi.h>
#include <stdlib.h>

typedef struct gt_handle gt_handle;

struct gt_peer {
    int rank, offset, count;
};

struct gt_handle {
    MPI_Comm comm;
    int npeers;
    struct gt_peer *peers;
    int nids, *ids;
    double *out, *in;
    MPI_Request *requests;
};

gt_handle *gt_new(MPI_Comm comm, int npeers, int nids)
{
    gt_handle *h = malloc(sizeof *h);
    if (!h)
        return NULL;
    if (MPI_Comm_dup(comm, &h->comm) != MPI_SUCCESS) {
        free(h);
        return NULL;
    }
    h->npeers = npeers;
    h->nids = nids;
    h->peers = calloc((size_t)npeers, sizeof *h->peers);
    h->ids = calloc((size_t)nids, sizeof *h->ids);
    h->out = calloc((size_t)nids, sizeof *h->out);
    h->in = calloc((size_t)nids, sizeof *h->in);
    h->requests = malloc(2 * (size_t)npeers * sizeof *h->requests);
    return h;
}

static int gt_start(gt_handle *h)
{
    MPI_Request *r = h->requests;
    for (int p = 0; p < h->npeers; p++, r++)
        if (MPI_Irecv(h->in + h->peers[p].offset, h->peers[p].count, MPI_DOUBLE, h->peers[p].rank, 11, h->comm, r))
            return -1;
    if (MPI_Isend(h->out, h->nids, MPI_DOUBLE, h->peers[0].rank, 11, h->comm, r))
        return -1;
    return 0;
}

static void gt_gather(gt_handle *h, const double *values)
{
    for (int i = 0; i < h->nids; i++)
        h->out[i] = values[h->ids[i]];
}

static void gt_scatter(const gt_handle *h, double *values)
{
    for (int i = 0; i < h->nids; i++)
        values[h->ids[i]] += h->in[i];
}

int gt_op(gt_handle *h, double *values)
{
    if (!h || !values)
        return -1;
    gt_gather(h, values);
    if (gt_start(h) != 0)
        return -1;
    if (MPI_Waitall(h->npeers + 1, h->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        return -1;
    gt_scatter(h, values);
    return 0;
}

void gt_free(gt_handle *h)
{
    MPI_Comm_free(&h->comm);
    free(h->peers);
    free(h->ids);
    free(h->out);
    free(h->in);
    free(h->requests);
    free(h);
}
