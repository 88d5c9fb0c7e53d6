/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * Both ways out wait.
 */
#include <mpi.h>

static int start(int early, MPI_Request *req)
{
    int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
    if (early) {
        MPI_Wait(req, MPI_STATUS_IGNORE);
        return 1; /* B */
    }
    MPI_Wait(req, MPI_STATUS_IGNORE);
    return row[0] + row[3];
}

int main(int argc, char **argv)
{
    int rank, row[4], sum = 0;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int early = 0; early < 2; early++) {
        if (rank == 0)
            sum += start(early, &req);
        else
            MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return rank == 0 && sum != 6;
}
