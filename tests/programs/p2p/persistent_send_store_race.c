/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a persistent send uses its buffer from Start to completion, not from Send_init.
 *
 * The second round's store comes after Start and before Wait.
 */
#include <mpi.h>

static int data[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send_init(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
        for (int round = 0; round < 2; round++) {
            MPI_Start(&req); /* A */
            data[0] = round; /* B */
            MPI_Wait(&req, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&req);
    } else {
        for (int round = 0; round < 2; round++)
            MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
