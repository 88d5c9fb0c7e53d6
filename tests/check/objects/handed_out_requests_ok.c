/* expect: none */
/* The same with a request that was handed out before: the pool may give its address back. */
#include <mpi.h>
#include <stddef.h>

extern void pool_lend(MPI_Request *request);
extern MPI_Request *pool_requests(void);

int handed_out_requests_ok(MPI_Comm comm, int from)
{
    MPI_Request receive;
    int bound;
    pool_lend(&receive);
    MPI_Irecv(&bound, 1, MPI_INT, from, 0, comm, &receive);
    MPI_Wait(pool_requests(), MPI_STATUS_IGNORE);
    return bound;
}
