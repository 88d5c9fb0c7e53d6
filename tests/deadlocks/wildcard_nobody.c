/* Nobody sends at all.
 * ranks: 3
 * stuck: 0 MPI_Recv 15
 * stuck: 1 MPI_Bcast 16
 * stuck: 2 MPI_Bcast 16
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
