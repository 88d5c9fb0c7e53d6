/* ranks: 2 */
/* A blocking send that is received only after a barrier: it needs MPI to buffer the message. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 3, got = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    begin(&argc, &argv);
    if (rank == 0) {
        BUG(MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
        REPAIR(MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(rank != 1 || got == 3);
    return end();
}
