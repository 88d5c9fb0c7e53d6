/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: a function without a value may be left by a return or at its end, which is its last line, whatever stands
 * before it.
 *
 * Both ways wait.
 */
#include <mpi.h>

static void exchange(int rank, int round, MPI_Request *req)
{
    int row[6] = {1, 2, 3, 4, 5, 6};
    if (rank == 0)
        MPI_Isend(row, 6, MPI_INT, 1, 0, MPI_COMM_WORLD, req);
    if (round == 0) {
        MPI_Wait(req, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Wait(req, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Recv(row, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, row[6];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; round++)
        exchange(rank, round, &req);
    if (rank == 1)
        MPI_Recv(row, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
