/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: a wait that returns an error, because the message was too long, has completed the receive all the same.
 *
 * The buffer is used behind the wait.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[4] = {1, 2, 3, 4}, sum = 0;
    MPI_Request req;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Irecv(row, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        sum = row[1];
        row[0] = sum;
    } else {
        MPI_Send(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
