/* expect: local-race A B */
/* Allreduce on a ring, chunk by chunk; what arrives is added before it is waited for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int chunk_begin(int n, int parts, int k)
{
    int base = n / parts, rest = n % parts;
    return k * base + (k < rest ? k : rest);
}

static int chunk_length(int n, int parts, int k)
{
    return chunk_begin(n, parts, k + 1) - chunk_begin(n, parts, k);
}

static void add(float *to, const float *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i]; /* B */
}

static int ring_allreduce(float *data, int n, MPI_Comm comm)
{
    int rank, size, code;
    float *scratch;
    MPI_Request request;
    if ((code = MPI_Comm_rank(comm, &rank)) != MPI_SUCCESS)
        return code;
    if ((code = MPI_Comm_size(comm, &size)) != MPI_SUCCESS)
        return code;
    int right = (rank + 1) % size, left = (rank - 1 + size) % size;
    scratch = malloc(sizeof(float) * (size_t)(n / size + 1));
    if (!scratch)
        return MPI_ERR_NO_MEM;
    for (int step = 0; step < size - 1; step++) {
        int out = (rank - step + size) % size, in = (rank - step - 1 + size) % size;
        int length = chunk_length(n, size, in);
        code = MPI_Irecv(scratch, length, MPI_FLOAT, left, step, comm, &request); /* A */
        if (code != MPI_SUCCESS)
            goto done;
        code = MPI_Send(data + chunk_begin(n, size, out), chunk_length(n, size, out), MPI_FLOAT, right, step, comm);
        if (code != MPI_SUCCESS)
            goto done;
        add(data + chunk_begin(n, size, in), scratch, length);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int step = 0; step < size - 1; step++) {
        int out = (rank + 1 - step + size) % size, in = (rank - step + size) % size;
        code = MPI_Sendrecv(data + chunk_begin(n, size, out), chunk_length(n, size, out), MPI_FLOAT, right, step,
                            data + chunk_begin(n, size, in), chunk_length(n, size, in), MPI_FLOAT, left, step, comm,
                            MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            goto done;
    }
done:
    free(scratch);
    return code;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 1000, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    float *gradient = malloc((size_t)n * sizeof *gradient);
    for (int i = 0; i < n; i++)
        gradient[i] = (float)(rank + i);
    if (ring_allreduce(gradient, n, MPI_COMM_WORLD) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        printf("%g\n", gradient[n - 1]);
    free(gradient);
    MPI_Finalize();
    return 0;
}
