/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Exscan's receive buffer is not significant at rank 0 (MPI-4.0 §6.11.2).
 *
 * Rank 1 stores into its receive buffer.
 */
#include <mpi.h>

static int mine[1], before[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Iexscan(mine, before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req); /* A */
    if (rank == 1)
        before[0] = -1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
