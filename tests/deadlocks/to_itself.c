/* A synchronous send to oneself.
 * ranks: 1
 * stuck: 0 MPI_Ssend 11
 * cycle: 0 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
