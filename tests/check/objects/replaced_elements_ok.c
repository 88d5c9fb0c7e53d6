/* expect: none */
/* The elements are set anew before they are written: these are other buffers. */
#include <mpi.h>
#include <stdlib.h>

void replaced_elements_ok(MPI_Comm comm, int n, int bytes, char **others)
{
    char **buffers = malloc(n * sizeof *buffers), **received = malloc(n * sizeof *received);
    MPI_Request *requests = malloc(n * sizeof *requests);
    for (int i = 0; i < n; i++) {
        buffers[i] = malloc(bytes);
        MPI_Irecv(buffers[i], bytes, MPI_BYTE, i, 0, comm, &requests[i]);
    }
    for (int i = 0; i < n; i++) {
        received[i] = buffers[i];
        buffers[i] = others[i];
    }
    for (int i = 0; i < n; i++)
        buffers[i][0] = 0;
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        free(received[i]);
    free(received);
    free(buffers);
    free(requests);
}
