/* The ranks of the communicator are not those of the world: 3, 2, 1, 0.
 * ranks: 4
 * stuck: 0 MPI_Barrier 20
 * stuck: 1 MPI_Barrier 20
 * stuck: 2 MPI_Ssend 18
 * stuck: 3 MPI_Barrier 20
 * cycle: 1 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Comm turned;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    if (rank == 2)
        MPI_Ssend(&x, 1, MPI_INT, 2, 0, turned);
    else
        MPI_Barrier(turned);
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}
