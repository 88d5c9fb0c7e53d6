/* Started, completed, started again, completed, freed: nothing is wrong with it. */
/* ranks: 2 */
/* expect: none */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    int out = 1, in;
    MPI_Request send;
    MPI_Send_init(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &send);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&send);
        MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
    MPI_Finalize();
    return 0;
}
