/* expect: local-race A B */
/* Errors lead to one place where all memory is given back, also that of a receive under way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int read_header(FILE *file, int *count)
{
    return fscanf(file, "%d", count) == 1 ? 0 : -1;
}

static int load(const char *name, int peer)
{
    int code = -1, count = 0;
    double *buffer = NULL, *scratch = NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    FILE *file = fopen(name, "r");
    if (!file)
        goto out;
    buffer = malloc(1000 * sizeof *buffer);
    scratch = malloc(1000 * sizeof *scratch);
    if (!buffer || !scratch)
        goto out;
    MPI_Irecv(buffer, 1000, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request); /* A */
    if (read_header(file, &count) != 0)
        goto out;
    for (int i = 0; i < 1000; i++)
        scratch[i] = i * count;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; i++)
        scratch[i] += buffer[i];
    printf("%g\n", scratch[10]);
    code = 0;
out:
    free(buffer); /* B */
    free(scratch);
    if (file)
        fclose(file);
    return code;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double data[1000] = {0};
    MPI_Request request;
    MPI_Isend(data, 1000, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    int code = load(argc > 1 ? argv[1] : "input", (rank + size - 1) % size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return code ? 1 : 0;
}
