/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a count of 0 touches nothing.
 *
 * The receive may write one element, so its buffer is in use although the message turns out empty.
 */
#include <mpi.h>

static int data[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        data[0] = 2; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
