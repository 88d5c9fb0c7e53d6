/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: MPI_PROC_NULL touches nothing.
 *
 * Rank 0 receives from rank 1, so its store before the Wait conflicts.
 */
#include <mpi.h>
#include <stddef.h>

static int halo[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int below = 1 - rank;
    MPI_Irecv(halo, 2, MPI_INT, below, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        halo[0] = 1; /* B */
    MPI_Send(NULL, 0, MPI_INT, below, 0, MPI_COMM_WORLD);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
