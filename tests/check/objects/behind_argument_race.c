/* expect: local-race A B */
/* How many messages there are is known to a function that cannot be seen; it comes to the list by a struct that it is given; the
   list that is sent is freed too early. */
#include <mpi.h>
#include <stdlib.h>

struct list {
    int length;
    int *ranks;
};

struct response {
    void *data;
    int size;
};

void exchange(int contact, struct response *response);

int announce(const int *range, MPI_Comm comm)
{
    struct list list = {0, malloc(10 * sizeof(int))};
    struct response response = {&list, sizeof list};
    exchange(range[0], &response);
    int n = list.length, *info = calloc(2 * (size_t)n + 2, sizeof *info);
    MPI_Request *requests = calloc((size_t)n, sizeof *requests);
    info[0] = n;
    for (int i = 0; i < n; i++)
        MPI_Isend(info, 2 * n + 2, MPI_INT, list.ranks[i], 1, comm, &requests[i]); /* A */
    free(info); /* B */
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    free(requests);
    free(list.ranks);
    return n;
}
