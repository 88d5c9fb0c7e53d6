/* A persistent request that is not active is complete, but it leaks: where it was made, and MPI_Wait frees nothing. */
/* ranks: 2 */
/* expect-warning: usage 16 - */
/* says: "call": "MPI_Send_init" */
/* says: free it with MPI_Request_free before MPI_Finalize. */
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
    MPI_Start(&send);
    MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
