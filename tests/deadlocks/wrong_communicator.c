/* Sent on a duplicate, wanted on MPI_COMM_WORLD.
 * ranks: 2
 * stuck: 0 MPI_Recv 16
 * stuck: 1 MPI_Ssend 18
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
