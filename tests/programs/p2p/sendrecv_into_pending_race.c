/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: Sendrecv is blocking, so its receive side is a store.
 *
 * Sendrecv stores into the buffer of a receive that is still pending.
 */
#include <mpi.h>

static int data[4], out[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int peer = 1 - rank;
    MPI_Irecv(data, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, &req); /* A */
    MPI_Sendrecv(out, 2, MPI_INT, peer, 0, data, 2, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Send(out, 2, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
