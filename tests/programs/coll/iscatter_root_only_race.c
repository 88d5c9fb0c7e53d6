/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Scatter's send buffer is significant at the root only.
 *
 * The root overwrites what it is scattering.
 */
#include <mpi.h>

static int all[4], mine[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Iscatter(all, 2, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        all[3] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
