/* Two halves, each waits for a message of the other. Rank i of one half talks to rank i of the other.
 * ranks: 4
 * stuck: 0 MPI_Recv 19
 * stuck: 1 MPI_Recv 19
 * stuck: 2 MPI_Recv 19
 * stuck: 3 MPI_Recv 19
 * cycle: 0 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, half, x = 1, y;
    MPI_Comm own, both;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 11, &both);
    MPI_Comm_rank(own, &half);
    MPI_Recv(&y, 1, MPI_INT, half, 0, both, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, half, 0, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
