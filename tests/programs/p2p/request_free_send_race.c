/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: after Request_free on an active send the buffer stays in use until the peer's
 * receive is known to be over.
 *
 * Nothing tells rank 0 that rank 1 has received.
 */
#include <mpi.h>
#include <stddef.h>

static int data[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Isend(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Request_free(&req);
        data[0] = 1; /* B */
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
