/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: an element of a local array is loaded in the function that passed the array to MPI.
 *
 * The receiver waits before it looks at the array.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int row[8] = {0};
    if (rank == 0) {
        MPI_Send(row, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(row, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        seen = row[argc]; /* B */
    }
    MPI_Finalize();
    return seen;
}
