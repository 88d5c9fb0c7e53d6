/* expect: none */
/* A function that cannot be seen is given the structure: it may put another buffer there. */
#include <mpi.h>

struct halo {
    double *west;
    int n, peer;
    MPI_Comm comm;
    MPI_Request request;
};

extern void set_to_zero(struct halo *halo);
extern double *entries(void *vector);

int same_argument_ok(void *u, void *result, struct halo *halo)
{
    MPI_Irecv(halo->west, halo->n, MPI_DOUBLE, halo->peer, 0, halo->comm, &halo->request);
    set_to_zero(halo);
    double *from = entries(u), *to = entries(result);
    if (!from || !to)
        return -1;
    for (int i = 1; i < halo->n; i++)
        to[i] = from[i] - from[i - 1];
    double *west = halo->west;
    to[0] = from[0] - west[0];
    MPI_Wait(&halo->request, MPI_STATUS_IGNORE);
    return 0;
}
