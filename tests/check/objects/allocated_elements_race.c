/* expect: local-race A B */
/* An array of buffers, each allocated where its receive is started, and one of them written before the wait. */
#include <mpi.h>
#include <stdlib.h>

void allocated_elements_race(MPI_Comm comm, int n, int bytes)
{
    char **buffers = malloc(n * sizeof *buffers);
    MPI_Request *requests = malloc(n * sizeof *requests);
    for (int i = 0; i < n; i++) {
        buffers[i] = malloc(bytes);
        MPI_Irecv(buffers[i], bytes, MPI_BYTE, i, 0, comm, &requests[i]); /* A */
    }
    for (int i = 0; i < n; i++)
        buffers[i][0] = 0; /* B */
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        free(buffers[i]);
    free(buffers);
    free(requests);
}
