/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: with MPI_IN_PLACE the one buffer is both read and written.
 *
 * The sum is stored to before the Wait.
 */
#include <mpi.h>

static double sum[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    sum[0] = rank;
    MPI_Iallreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &req); /* A */
    sum[1] = 0.5; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
