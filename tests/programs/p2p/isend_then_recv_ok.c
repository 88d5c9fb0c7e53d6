/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1: what a blocking call touches counts as the program's own load or store.
 *
 * The Isend is completed first.
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
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Recv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    } else {
        MPI_Recv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
