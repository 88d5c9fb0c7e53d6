/* ranks: 2
 * stuck: 0 MPI_Ssend 17
 * stuck: 1 MPI_Ssend 17
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 1) {
        MPI_Finalize();
        return 0;
    }
    int other = 1 - rank;
    MPI_Ssend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
