/* expect: local-race A B */
/* What an unknown function returns is checked, and a failure ends the program. */
#include <mpi.h>
#include <stdlib.h>

int helper(int number);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (helper(0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (helper(1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (helper(2) != 7)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (helper(3) < 1000)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    buffer[3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return buffer[0];
}
