/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: where the buffer lives does not matter; here it is a local array passed to a
 * function.
 *
 * The send completes within its round.
 */
#include <mpi.h>

static void fill(int *row, int from)
{
    for (int i = 0; i < 4; i++)
        row[i] = from + i; /* B */
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req = MPI_REQUEST_NULL;
    int row[4];
    for (int round = 0; round < 3; round++) {
        if (rank == 0) {
            fill(row, round);
            MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
            MPI_Wait(&req, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
