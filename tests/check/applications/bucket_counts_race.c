/* expect: local-race A B */
/* Buckets of numbers change owners by MPI_Ialltoallv with counts that were exchanged before; they are summed up before they are there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct buckets {
    int size, rank;
    int *send_counts, *send_at, *receive_counts, *receive_at;
    long *numbers, *received;
    int total;
};

static int *integers(int n)
{
    int *p = calloc((size_t)n, sizeof *p);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static int prefix(const int *counts, int *at, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        at[i] = sum;
        sum += counts[i];
    }
    return sum;
}

static void distribute(struct buckets *b, int n)
{
    b->send_counts = integers(b->size);
    b->receive_counts = integers(b->size);
    b->send_at = integers(b->size);
    b->receive_at = integers(b->size);
    for (int i = 0; i < n; i++)
        b->send_counts[i % b->size]++;
    MPI_Alltoall(b->send_counts, 1, MPI_INT, b->receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    prefix(b->send_counts, b->send_at, b->size);
    b->total = prefix(b->receive_counts, b->receive_at, b->size);
    b->numbers = malloc((size_t)n * sizeof(long));
    b->received = calloc((size_t)b->total + 1, sizeof(long));
    if (!b->numbers || !b->received)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        b->numbers[i] = i;
}

static long sum(const struct buckets *b)
{
    long s = 0;
    for (int i = 0; i < b->total; i++)
        s += b->received[i]; /* B */
    return s;
}

static long exchange(struct buckets *b)
{
    MPI_Request request;
    long result;
    MPI_Ialltoallv(b->numbers, b->send_counts, b->send_at, MPI_LONG, b->received, b->receive_counts, b->receive_at, MPI_LONG, MPI_COMM_WORLD, &request); /* A */
    result = sum(b);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return result;
}

int main(int argc, char **argv)
{
    struct buckets b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.size);
    distribute(&b, 20 + b.rank);
    printf("%d: %ld\n", b.rank, exchange(&b));
    free(b.send_counts);
    free(b.receive_counts);
    free(b.send_at);
    free(b.receive_at);
    free(b.numbers);
    free(b.received);
    MPI_Finalize();
    return 0;
}
