/* Everybody shifts to the right, with tags that do not fit.
 * ranks: 4
 * stuck: 0 MPI_Sendrecv 16
 * stuck: 1 MPI_Sendrecv 16
 * stuck: 2 MPI_Sendrecv 16
 * stuck: 3 MPI_Sendrecv 16
 * cycle: 0 3 2 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = (rank + 1) % 4, left = (rank + 3) % 4;
    MPI_Sendrecv(&x, 1, MPI_INT, right, rank, &y, 1, MPI_INT, left, rank, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
