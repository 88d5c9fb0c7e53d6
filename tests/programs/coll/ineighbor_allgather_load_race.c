/* ranks: 3 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: neighbourhood collectives write one block per in-neighbour.
 *
 * The left neighbour's block is loaded before the Wait.
 */
#include <mpi.h>

static int mine[1], halo[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Comm ring;
    int size = 3, periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Ineighbor_allgather(mine, 1, MPI_INT, halo, 1, MPI_INT, ring, &req); /* A */
    seen = halo[0]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
