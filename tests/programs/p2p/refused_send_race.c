/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §2: a call that MPI refuses, and that returns an error, starts nothing.
 *
 * The call is in order.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, to = 1, row[3] = {1, 2, 3};
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        int failed = MPI_Isend(row, 3, MPI_INT, to, 0, MPI_COMM_WORLD, &req); /* A */
        row[1] = 9; /* B */
        if (failed) {
            MPI_Send(row, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
            req = MPI_REQUEST_NULL;
        }
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(row, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
