/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: Request_get_status with flag = true is a completion.
 *
 * Of two sends the first is found complete, and its buffer is stored to. (Small sends have the same request in both MPIs, and the call
 * gets no variable by which they could be told apart.)
 */
#include <mpi.h>

static int first[2], second[2];

int main(int argc, char **argv)
{
    int rank, flag = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    if (rank == 0) {
        MPI_Isend(first, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Isend(second, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, &req[1]);
        while (!flag)
            MPI_Request_get_status(req[0], &flag, MPI_STATUS_IGNORE);
        first[0] = 1;
        MPI_Wait(&req[0], MPI_STATUS_IGNORE);
        MPI_Wait(&req[1], MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(first, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(second, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
