/* ranks: 2
 * stuck: 0 MPI_Probe 14
 * stuck: 1 MPI_Probe 14
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    MPI_Probe(other, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    MPI_Send(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
