/* ranks: 2 */
/* needs: cc */
/* mpi: mpich */
/* expect: local-race A B */
/*
 * semantics §1: a persistent collective uses its buffers from Start to completion.
 *
 * The root prepares the next round between Start and Wait.
 */
#include <mpi.h>

static int data[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Bcast_init(data, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&req); /* A */
        if (rank == 0)
            data[0] = round; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&req);
    MPI_Finalize();
    return 0;
}
