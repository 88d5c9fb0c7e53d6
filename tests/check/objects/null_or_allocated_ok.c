/* expect: none */
/* A buffer that is only there if there is something to send. */
#include <mpi.h>
#include <stdlib.h>

void null_or_allocated_ok(MPI_Comm comm, int low, int high)
{
    int sends = high - low + 1;
    MPI_Request *requests = NULL;
    long *values = NULL;
    if (sends > 0) {
        requests = malloc(sends * sizeof *requests);
        values = malloc(sends * sizeof *values);
        for (int i = low; i <= high; i++) {
            values[i - low] = i;
            MPI_Isend(&values[i - low], 1, MPI_LONG, i, 0, comm, &requests[i - low]);
        }
    }
    if (sends > 0) {
        MPI_Waitall(sends, requests, MPI_STATUSES_IGNORE);
        free(values);
        free(requests);
    }
}
