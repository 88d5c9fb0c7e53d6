/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: a blocking collective loads its send side and stores its receive side.
 *
 * The blocking Allreduce reads the result that the Ibcast from rank 0 is still writing at rank 1.
 */
#include <mpi.h>

static int data[2], sum[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Ibcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Allreduce(data, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
