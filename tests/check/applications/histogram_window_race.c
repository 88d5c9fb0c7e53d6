/* expect: remote-race A B */
/* Every process puts its part of a histogram into the window of the first one, which prints before the fence. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 128

struct histogram {
    MPI_Win win;
    int *bins;
    int rank, size;
};

static void histogram_open(struct histogram *h)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &h->size);
    h->bins = calloc(BINS, sizeof(int));
    if (!h->bins)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(h->bins, BINS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &h->win);
}

static void histogram_close(struct histogram *h)
{
    MPI_Win_free(&h->win);
    free(h->bins);
}

static void count(int *local, const double *data, int n)
{
    for (int i = 0; i < n; i++) {
        int bin = (int)(data[i] * BINS);
        if (bin >= 0 && bin < BINS)
            local[bin]++;
    }
}

static void histogram_send(struct histogram *h, const int *local)
{
    if (h->rank != 0)
        MPI_Accumulate(local, BINS, MPI_INT, 0, 0, BINS, MPI_INT, MPI_SUM, h->win); /* A */
}

static void histogram_print(const struct histogram *h)
{
    if (h->rank != 0)
        return;
    for (int i = 0; i < BINS; i++)
        printf("%d %d\n", i, h->bins[i]); /* B */
}

int main(int argc, char **argv)
{
    struct histogram h;
    int local[BINS] = {0};
    double data[1000];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        data[i] = i / 1000.0;
    histogram_open(&h);
    count(local, data, 1000);
    MPI_Win_fence(0, h.win);
    histogram_send(&h, local);
    histogram_print(&h);
    MPI_Win_fence(0, h.win);
    histogram_close(&h);
    MPI_Finalize();
    return 0;
}
