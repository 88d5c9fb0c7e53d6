/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1: a blocking Send loads its buffer.
 *
 * The buffer is sent on after the Wait.
 */
#include <mpi.h>

static int data[4], unrelated[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int peer = 1 - rank;
    if (rank == 0) {
        MPI_Irecv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Send(data, 4, MPI_INT, peer, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(unrelated, 4, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
