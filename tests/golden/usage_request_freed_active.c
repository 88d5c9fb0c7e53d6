/* Freeing an active request is allowed, but nobody knows then when its buffer is free (MPI-4.0 §3.7.3). */
/* ranks: 2 */
/* expect-warning: usage 14 15 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    int out = 1, in;
    MPI_Request send;
    MPI_Isend(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &send);
    MPI_Request_free(&send);
    MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
