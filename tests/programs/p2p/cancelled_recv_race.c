/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: Cancel only asks; the receive is over when Wait says so.
 *
 * The buffer is reused between Cancel and Wait.
 */
#include <mpi.h>

static int data[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Irecv(data, 2, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &req); /* A */
    MPI_Cancel(&req);
    data[0] = 4; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
