/* missed: local-race A B */
/* A function that cannot be seen is given another argument, from which it may reach the structure of this one and give it another
 * buffer: nobody who sees this file alone can tell. */
#include <mpi.h>

struct halo {
    double *west;
    int n, peer;
    MPI_Comm comm;
    MPI_Request request;
};

extern void set_to_zero(void *vector);
extern double *entries(void *vector);

int other_argument_race(void *u, void *result, struct halo *halo)
{
    MPI_Irecv(halo->west, halo->n, MPI_DOUBLE, halo->peer, 0, halo->comm, &halo->request); /* A */
    set_to_zero(result);
    double *from = entries(u), *to = entries(result);
    if (!from || !to)
        return -1;
    for (int i = 1; i < halo->n; i++)
        to[i] = from[i] - from[i - 1];
    double *west = halo->west;
    to[0] = from[0] - west[0]; /* B */
    MPI_Wait(&halo->request, MPI_STATUS_IGNORE);
    return 0;
}
