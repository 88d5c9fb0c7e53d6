/* expect: local-race A B */
/* Requests that a function nobody can see has allocated are completed. The receive's own is a variable that it cannot know. */
#include <mpi.h>
#include <stddef.h>

extern void *pool_get(size_t bytes);
extern void pool_put(void *memory);

int foreign_requests_race(MPI_Comm comm, int sends, const int *to, int from, int *values)
{
    MPI_Request receive, *requests = NULL;
    int bound;
    if (sends > 0) {
        requests = pool_get(sends * sizeof *requests);
        for (int i = 0; i < sends; i++)
            MPI_Isend(&values[i], 1, MPI_INT, to[i], 0, comm, &requests[i]);
    }
    MPI_Irecv(&bound, 1, MPI_INT, from, 0, comm, &receive); /* A */
    if (sends > 0) {
        MPI_Waitall(sends, requests, MPI_STATUSES_IGNORE);
        pool_put(requests);
    }
    int width = bound - values[0]; /* B */
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    return width;
}
