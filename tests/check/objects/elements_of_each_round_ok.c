/* expect: none */
/* Every round allocates its buffers; those that are written have come in the round before. */
#include <mpi.h>
#include <stdlib.h>

void elements_of_each_round_ok(MPI_Comm comm, int n, int bytes, int times)
{
    char **now = malloc(n * sizeof *now);
    MPI_Request *requests = malloc(n * sizeof *requests);
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            now[i] = malloc(bytes);
            now[i][0] = 0;
            MPI_Irecv(now[i], bytes, MPI_BYTE, i, t, comm, &requests[i]);
        }
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++) {
            now[i][0] = 1;
            free(now[i]);
        }
    }
    free(now);
    free(requests);
}
