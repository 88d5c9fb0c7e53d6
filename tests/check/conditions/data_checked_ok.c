/* expect: none */
/* Data is checked four times in front of the race: whoever comes on has found it good. Here the wait comes first. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *p = calloc(4, sizeof *p);
    MPI_Bcast(p, 4, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        if (p[i] != 0)
            exit(1);
    if (p[0] != p[2])
        exit(1);
    if (p[1] != 0)
        exit(1);
    if (p[2] != 0)
        exit(1);
    if (p[3] != 0)
        exit(1);
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer[3] = 1;
    MPI_Finalize();
    return buffer[0];
}
