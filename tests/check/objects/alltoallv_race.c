/* expect: local-race A B */
/* A store into what a nonblocking alltoallv may be sending: counts and displacements are only known when it runs. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    int *sent = malloc(8 * size * sizeof(int)), *received = malloc(8 * size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = 8;
        places[i] = 8 * i;
    }
    MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD, &request); /* A */
    sent[3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
