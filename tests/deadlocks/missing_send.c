/* Rank 1 forgets the message and goes on to the barrier.
 * ranks: 3
 * stuck: 0 MPI_Recv 14
 * stuck: 1 MPI_Barrier 15
 * stuck: 2 MPI_Barrier 15
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Recv(&y, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
