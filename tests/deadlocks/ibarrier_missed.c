/* Rank 1 never starts the nonblocking barrier.
 * ranks: 3
 * stuck: 0 MPI_Wait 16
 * stuck: 1 MPI_Recv 18
 * stuck: 2 MPI_Wait 16
 * part: 0 MPI_Ibarrier 15
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, y; MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 1) { MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
