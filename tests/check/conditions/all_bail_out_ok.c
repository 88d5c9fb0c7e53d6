/* expect: none */
/* All processes agree on whether somebody failed; then all end. Here the wait comes first. */
#include <stdio.h>
#include <mpi.h>
#include <stdlib.h>

int helper(int number);

static void bail_out(int failed)
{
    int any;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any) {
        fprintf(stderr, "giving up\n");
        MPI_Finalize();
        exit(1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bail_out(argc < 2);
    int n = atoi(argv[1]);
    bail_out(n < 1000);
    bail_out(n % 8 != 0);
    bail_out(helper(n));
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer[3] = 1;
    MPI_Finalize();
    return buffer[0];
}
