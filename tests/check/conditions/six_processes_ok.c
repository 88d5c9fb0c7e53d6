/* expect: none */
/* The program needs six processes; the last one races. Here the wait comes first. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 6)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank != 5) {
        MPI_Finalize();
        return 0;
    }
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer[3] = 1;
    MPI_Finalize();
    return buffer[0];
}
