/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: MPI_PROC_NULL touches nothing.
 *
 * At the edge of the chain the source is MPI_PROC_NULL: the buffer is not in use.
 */
#include <mpi.h>

static int halo[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int below = MPI_PROC_NULL;
    MPI_Irecv(halo, 2, MPI_INT, below, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        halo[0] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
