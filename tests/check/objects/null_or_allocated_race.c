/* expect: local-race A B */
/* A buffer that is only there if there is something to send, given back too early. */
#include <mpi.h>
#include <stdlib.h>

void null_or_allocated_race(MPI_Comm comm, int low, int high)
{
    int sends = high - low + 1;
    MPI_Request *requests = NULL;
    long *values = NULL;
    if (sends > 0) {
        requests = malloc(sends * sizeof *requests);
        values = malloc(sends * sizeof *values);
        for (int i = low; i <= high; i++) {
            values[i - low] = i;
            MPI_Isend(&values[i - low], 1, MPI_LONG, i, 0, comm, &requests[i - low]); /* A */
        }
    }
    if (sends > 0) {
        free(values); /* B */
        MPI_Waitall(sends, requests, MPI_STATUSES_IGNORE);
        free(requests);
    }
}
