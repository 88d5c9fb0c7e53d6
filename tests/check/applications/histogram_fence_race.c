/* expect: remote-race A B */
/* expect-sources: remote-race A C */
/* Bins of a histogram live on their owners and grow by accumulate between fences; the largest is looked for one fence too early. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long *bins;
    int per_process, size, rank;
    MPI_Win win;
} histogram;

static int histogram_make(histogram *h, int per_process)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &h->size);
    h->per_process = per_process;
    h->bins = calloc((size_t)per_process, sizeof(long));
    if (!h->bins)
        return -1;
    return MPI_Win_create(h->bins, (MPI_Aint)per_process * (MPI_Aint)sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                          &h->win);
}

static void histogram_add(histogram *h, int value)
{
    long one = 1;
    int bin = value % (h->per_process * h->size);
    MPI_Accumulate(&one, 1, MPI_LONG, bin / h->per_process, bin % h->per_process, 1, MPI_LONG, MPI_SUM, h->win); /* A */
    MPI_Win_fence(0, h->win);
}

static long histogram_largest(const histogram *h)
{
    long largest = 0;
    for (int i = 0; i < h->per_process; i++)
        if (h->bins[i] > largest) /* B */
            largest = h->bins[i]; /* C */
    return largest;
}

int main(int argc, char **argv)
{
    histogram h;
    long largest = 0, all;
    int values = 12;
    MPI_Init(&argc, &argv);
    if (histogram_make(&h, 4) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_fence(0, h.win);
    for (int i = 0; i < values; i++) {
        histogram_add(&h, (h.rank + 1) * (i + 3));
        largest = histogram_largest(&h);
    }
    MPI_Reduce(&largest, &all, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (h.rank == 0)
        printf("%ld\n", all);
    MPI_Win_free(&h.win);
    free(h.bins);
    MPI_Finalize();
    return 0;
}
