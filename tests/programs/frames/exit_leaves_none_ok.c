/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: exit leaves no frame, so the array of the function that calls it can be waited for at the end.
 *
 * The function calls exit itself.
 */
#include <mpi.h>
#include <stdlib.h>

static MPI_Request req = MPI_REQUEST_NULL;

static void at_the_end(void)
{
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
}

static void work(int rank)
{
    int row[6] = {1, 2, 3, 4, 5, 6};
    if (rank == 0)
        MPI_Isend(row, 6, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    else
        MPI_Recv(row, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (row[0] == 1)
        exit(0);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(at_the_end);
    work(rank);
    exit(0);
}
