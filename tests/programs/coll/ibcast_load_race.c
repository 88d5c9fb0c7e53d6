/* ranks: 3 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a nonblocking Bcast reads at the root and writes everywhere else.
 *
 * Rank 2 loads from the buffer that the Bcast is writing.
 */
#include <mpi.h>

static int data[4];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Ibcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 2)
        seen = data[3]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
