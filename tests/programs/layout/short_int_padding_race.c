/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the predefined pair MPI_SHORT_INT covers a short and an int, not the two bytes
 * between them.
 *
 * The store hits the first byte of the int.
 */
#include <mpi.h>

static _Alignas(64) char data[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Isend(data, 1, MPI_SHORT_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        data[4] = 1; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 1, MPI_SHORT_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
