/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §5: the send side of a nonblocking collective is read, the receive side
 * written.
 *
 * The result is loaded before the Wait.
 */
#include <mpi.h>

static int input[2], result[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Iallreduce(input, result, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &req); /* A */
    seen = result[1]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
