/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: realloc ends the life of the old memory, which counts as a store. (The message is empty, or the heap would suffer.)
 *
 * The array grows while it is received into.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, out[8] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *in = calloc(8, sizeof *in);
    MPI_Irecv(in, 8, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request); /* A */
    in = realloc(in, 100 * sizeof *in); /* B */
    MPI_Send(out, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(in, 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    free(in);
    return 0;
}
