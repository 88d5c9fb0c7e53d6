/* What a nonblocking alltoallv sends may be read; another array may be written. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size;
    int spare[1];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    int *sent = malloc(8 * size * sizeof(int)), *received = malloc(8 * size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = 8;
        places[i] = 8 * i;
    }
    MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
    spare[0] = sent[3];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return spare[0];
}
