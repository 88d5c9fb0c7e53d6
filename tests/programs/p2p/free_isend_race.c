/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: whoever has memory next may store to it, so giving it back counts as a store.
 *
 * It is given back while it is being sent.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, in[8] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *out = calloc(100, sizeof *out);
    MPI_Isend(out, 8, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Recv(in, 8, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(out); /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
