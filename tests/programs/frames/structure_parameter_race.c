/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * A large structure passed by value lies on the stack for this call only.
 */
#include <mpi.h>

struct cell {
    double values[12];
};

static void start(struct cell cell, MPI_Request *req)
{
    MPI_Isend(cell.values, 12, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, req); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank;
    struct cell cell = {{1, 2, 3}};
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(cell, &req);
    else
        MPI_Recv(cell.values, 12, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
