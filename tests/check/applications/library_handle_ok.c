/* A library for exchanges behind an opaque handle, without a program; accumulating into the outgoing buffer
   happens before start. */
#include <mpi.h>
#include <stdlib.h>

typedef struct gs_handle gs_handle;

struct gs_peer {
    int rank, offset, count;
};

struct gs_handle {
    MPI_Comm comm;
    int npeers;
    struct gs_peer *peers;
    int nids, *ids;
    double *out, *in;
    MPI_Request *requests;
};

gs_handle *gs_new(MPI_Comm comm, int npeers, int nids)
{
    gs_handle *h = malloc(sizeof *h);
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

static int gs_start(gs_handle *h)
{
    MPI_Request *r = h->requests;
    for (int p = 0; p < h->npeers; p++, r++)
        if (MPI_Irecv(h->in + h->peers[p].offset, h->peers[p].count, MPI_DOUBLE, h->peers[p].rank, 11, h->comm, r))
            return -1;
    if (MPI_Isend(h->out, h->nids, MPI_DOUBLE, h->peers[0].rank, 11, h->comm, r))
        return -1;
    return 0;
}

static void gs_gather(gs_handle *h, const double *values)
{
    for (int i = 0; i < h->nids; i++)
        h->out[i] = values[h->ids[i]];
}

static void gs_scatter(const gs_handle *h, double *values)
{
    for (int i = 0; i < h->nids; i++)
        values[h->ids[i]] += h->in[i];
}

int gs_op(gs_handle *h, double *values)
{
    if (!h || !values)
        return -1;
    gs_gather(h, values);
    if (gs_start(h) != 0)
        return -1;
    if (MPI_Waitall(h->npeers + 1, h->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        return -1;
    gs_scatter(h, values);
    return 0;
}

void gs_free(gs_handle *h)
{
    MPI_Comm_free(&h->comm);
    free(h->peers);
    free(h->ids);
    free(h->out);
    free(h->in);
    free(h->requests);
    free(h);
}
