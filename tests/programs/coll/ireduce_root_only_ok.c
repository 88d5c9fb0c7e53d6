/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: Reduce's receive buffer is significant at the root only.
 *
 * The other ranks store into theirs, which Reduce ignores.
 */
#include <mpi.h>

static int part[2], sum[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Ireduce(part, sum, 2, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, &req); /* A */
    if (rank != 1)
        sum[0] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
