/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* A bitonic sort over a power of two of processes; the partner's numbers are merged before they are there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

struct block {
    int n;
    int *mine, *other, *merged;
};

static int block_make(struct block *b, int n, int rank)
{
    b->n = n;
    b->mine = malloc((size_t)n * sizeof(int));
    b->other = malloc((size_t)n * sizeof(int));
    b->merged = malloc(2 * (size_t)n * sizeof(int));
    if (!b->mine || !b->other || !b->merged)
        return 0;
    srand(17u * (unsigned)rank + 1);
    for (int i = 0; i < n; i++)
        b->mine[i] = rand() % 1000;
    qsort(b->mine, (size_t)n, sizeof(int), by_value);
    return 1;
}

static void merge(struct block *b)
{
    int i = 0, j = 0;
    for (int k = 0; k < 2 * b->n; k++)
        if (j == b->n || (i < b->n && b->mine[i] <= b->other[j])) /* B */
            b->merged[k] = b->mine[i++];
        else
            b->merged[k] = b->other[j++]; /* C */
}

static void compare_split(struct block *b, int partner, int keep_small)
{
    MPI_Request requests[2];
    MPI_Irecv(b->other, b->n, MPI_INT, partner, 0, MPI_COMM_WORLD, &requests[0]); /* A */
    MPI_Isend(b->mine, b->n, MPI_INT, partner, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    merge(b);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    memcpy(b->mine, keep_small ? b->merged : b->merged + b->n, (size_t)b->n * sizeof(int));
}

int main(int argc, char **argv)
{
    int rank, size, stages = 0;
    struct block b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (1 << stages < size)
        stages++;
    if (1 << stages != size) {
        if (rank == 0)
            fprintf(stderr, "the number of processes must be a power of two\n");
        MPI_Finalize();
        return 1;
    }
    if (!block_make(&b, 32, rank))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < stages; i++)
        for (int j = i; j >= 0; j--)
            compare_split(&b, rank ^ (1 << j), ((rank >> (i + 1)) & 1) == ((rank >> j) & 1));
    printf("%d: %d to %d\n", rank, b.mine[0], b.mine[b.n - 1]);
    free(b.mine);
    free(b.other);
    free(b.merged);
    MPI_Finalize();
    return 0;
}
