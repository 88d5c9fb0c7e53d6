/* expect: local-race A B */
/* One buffer for the parts of all processes: the part of the next one is packed into it while the last is being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int pack(const int *keys, int n, int low, int high, int *out)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (keys[i] >= low && keys[i] < high)
            out[count++] = keys[i]; /* B */
    return count;
}

static void distribute(const int *keys, int n, const int *splitters, int size)
{
    MPI_Request *requests = malloc(size * sizeof *requests);
    int *buffer = malloc(n * sizeof *buffer);
    if (!requests || !buffer) {
        fprintf(stderr, "sort: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int to = 0; to < size; to++) {
        int count = pack(keys, n, splitters[to], splitters[to + 1], buffer);
        MPI_Isend(buffer, n, MPI_INT, to, count, MPI_COMM_WORLD, &requests[to]); /* A */
    }
    int *sorted = malloc((size_t)n * size * sizeof *sorted);
    for (int from = 0; sorted && from < size; from++)
        MPI_Recv(sorted + (size_t)from * n, n, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
    qsort(sorted, n, sizeof *sorted, compare);
    free(sorted);
    free(buffer);
    free(requests);
}

int main(int argc, char **argv)
{
    int rank, size, n = 1000, keys[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *splitters = malloc((size + 1) * sizeof *splitters);
    if (!splitters)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i <= size; i++)
        splitters[i] = i * (1000 / size + 1);
    for (int i = 0; i < n; i++)
        keys[i] = (i * 7919 + rank) % 1000;
    distribute(keys, n, splitters, size);
    free(splitters);
    MPI_Finalize();
    return 0;
}
