/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1, Irsend reads its buffer until its request completes, ready receiver or not.
 *
 * The store precedes the Wait.
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
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Irsend(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        data[1] = 3; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
