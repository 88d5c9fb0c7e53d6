/* expect: none */
/* An array of buffers, each allocated where its receive is started; written behind the wait. */
#include <mpi.h>
#include <stdlib.h>

void allocated_elements_ok(MPI_Comm comm, int n, int bytes)
{
    char **buffers = malloc(n * sizeof *buffers);
    MPI_Request *requests = malloc(n * sizeof *requests);
    for (int i = 0; i < n; i++) {
        buffers[i] = malloc(bytes);
        MPI_Irecv(buffers[i], bytes, MPI_BYTE, i, 0, comm, &requests[i]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        buffers[i][0] = 0;
    for (int i = 0; i < n; i++)
        free(buffers[i]);
    free(buffers);
    free(requests);
}
