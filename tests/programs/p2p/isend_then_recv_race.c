/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: what a blocking call touches counts as the program's own load or store.
 *
 * The blocking Recv stores into the buffer that the Isend still reads.
 */
#include <mpi.h>

static int data[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int peer = 1 - rank;
    if (rank == 0) {
        MPI_Isend(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Recv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
