/* ranks: 2
 * stuck: 0 MPI_Recv 12
 * stuck: 1 MPI_Recv 12
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
