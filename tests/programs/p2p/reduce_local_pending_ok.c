/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1: Reduce_local loads both of its buffers and stores the second.
 *
 * The sum is taken from a buffer that is being sent: two reads.
 */
#include <mpi.h>

static int part[2], sum[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Isend(part, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
        MPI_Reduce_local(part, sum, 2, MPI_INT, MPI_SUM); /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(sum, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
