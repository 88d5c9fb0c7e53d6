/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Reduce_scatter_block reads count elements per rank of its send buffer.
 *
 * The store hits the block meant for the last rank.
 */
#include <mpi.h>

static int input[5], result[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Ireduce_scatter_block(input, result, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req); /* A */
    input[3] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
