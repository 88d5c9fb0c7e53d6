/* ranks: 3 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Allgather with MPI_IN_PLACE writes the blocks of the others.
 *
 * The neighbour's block is loaded before the Wait.
 */
#include <mpi.h>

static int all[3];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    all[rank] = rank;
    MPI_Iallgather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &req); /* A */
    seen = all[(rank + 1) % 3]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
