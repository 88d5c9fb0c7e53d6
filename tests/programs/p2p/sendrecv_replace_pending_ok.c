/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1: Sendrecv_replace loads and stores its one buffer.
 *
 * The Isend has completed.
 */
#include <mpi.h>

static int data[2], in[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int peer = 1 - rank;
    MPI_Isend(data, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, &req); /* A */
    MPI_Recv(in, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 2, MPI_INT, peer, 0, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Finalize();
    return 0;
}
