/* Rank 2 leaves the loop one step early and finalizes.
 * ranks: 4
 * stuck: 0 MPI_Barrier 16
 * stuck: 1 MPI_Barrier 16
 * stuck: 2 MPI_Finalize 17
 * stuck: 3 MPI_Barrier 16
 * cycle: 0 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < (rank == 2 ? 4 : 5); step++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
