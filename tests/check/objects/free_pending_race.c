/* expect: local-race A B */
/* expect: local-race C D */
/* The memory is given back while a send still reads it, and while a receive still writes a part of it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int *out = malloc(64 * sizeof *out), *in = malloc(64 * sizeof *in);
    MPI_Request requests[2];
    MPI_Isend(out, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]); /* A */
    MPI_Irecv(in + 32, 32, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]); /* C */
    free(out); /* B */
    in = realloc(in, 100 * sizeof *in); /* D */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Send(in, 100, MPI_INT, 0, 0, MPI_COMM_WORLD);
    free(in);
    MPI_Finalize();
    return 0;
}
