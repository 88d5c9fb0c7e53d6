/* expect: local-race A B */
/* Buffers for a list of neighbours, allocated one by one; the wrong end of the exchange unpacks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int nneighbours, *neighbours;
static double **send_buffers, **recv_buffers;
static int *counts;
static MPI_Request *requests;

static void setup(int rank, int size)
{
    nneighbours = size < 4 ? size - 1 : 3;
    neighbours = malloc(nneighbours * sizeof *neighbours);
    counts = malloc(nneighbours * sizeof *counts);
    send_buffers = malloc(nneighbours * sizeof *send_buffers);
    recv_buffers = malloc(nneighbours * sizeof *recv_buffers);
    requests = malloc(2 * nneighbours * sizeof *requests);
    if (!neighbours || !counts || !send_buffers || !recv_buffers || !requests)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < nneighbours; i++) {
        neighbours[i] = (rank + i + 1) % size;
        counts[i] = 100 + i;
        send_buffers[i] = calloc(counts[i], sizeof(double));
        recv_buffers[i] = calloc(counts[i], sizeof(double));
        if (!send_buffers[i] || !recv_buffers[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void unpack(double *values, int n)
{
    for (int i = 0; i < nneighbours; i++)
        for (int k = 0; k < counts[i] && k < n; k++)
            values[k] += recv_buffers[i][k]; /* B */
}

static void exchange(double *values, int n)
{
    for (int i = 0; i < nneighbours; i++)
        MPI_Irecv(recv_buffers[i], counts[i], MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests[i]); /* A */
    for (int i = 0; i < nneighbours; i++) {
        for (int k = 0; k < counts[i] && k < n; k++)
            send_buffers[i][k] = values[k];
        MPI_Isend(send_buffers[i], counts[i], MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests[nneighbours + i]);
    }
    unpack(values, n);
    MPI_Waitall(2 * nneighbours, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    static double values[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    setup(rank, size);
    exchange(values, 200);
    printf("%g\n", values[0]);
    MPI_Finalize();
    return 0;
}
