/* expect: usage A A */
/* Nothing went wrong where the function returns early, but the request is open. */
#include <mpi.h>

extern int prepare(void *context);

int error_return_race(void *context, double *buf, int n)
{
    MPI_Request request;
    int failed;
    MPI_Irecv(buf, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request); /* A */
    if (n == 1)
        return 0;
    failed = prepare(context);
    if (failed)
        return failed;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return 0;
}
