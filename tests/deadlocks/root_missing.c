/* The root of the broadcast waits for a message of one who waits for the broadcast.
 * ranks: 3
 * stuck: 0 MPI_Recv 14
 * stuck: 1 MPI_Bcast 15
 * stuck: 2 MPI_Bcast 15
 * cycle: 0 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
