/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1, Issend reads its buffer until its request completes.
 *
 * The receiver having the data is not what frees the buffer: the store precedes the Wait.
 */
#include <mpi.h>

static double data[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Issend(data, 3, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD, &req); /* A */
        data[0] = 1.5; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 3, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
