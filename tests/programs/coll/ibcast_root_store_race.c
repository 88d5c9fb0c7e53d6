/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a nonblocking Bcast reads the root's buffer from the call to completion.
 *
 * The root stores before its Wait.
 */
#include <mpi.h>

static int data[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Ibcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        data[0] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
