/* ranks: 2
 * stuck: 0 MPI_Wait 16
 * stuck: 1 MPI_Finalize 18
 * part: 0 MPI_Irecv 15
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, y;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&y, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
