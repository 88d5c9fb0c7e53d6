/* expect: local-race A B */
/* The processes form a cube of at least two by two by three. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int px = atoi(argv[1]), py = atoi(argv[2]), pz = atoi(argv[3]);
    if (px < 2 || py < 2 || pz < 3 || px * py * pz != size) {
        MPI_Finalize();
        return 1;
    }
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    buffer[3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return buffer[0];
}
