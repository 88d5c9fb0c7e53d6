/* ranks: 2 */
/* A receive buffer is cleared after the receive was posted. */
#include "latent.h"

int main(int argc, char **argv)
{
    int got[4] = {9, 9, 9, 9}, value[4] = {1, 2, 3, 4};
    MPI_Request request;
    begin(&argc, &argv);
    if (rank == 1) {
        REPAIR(memset(got, 0, sizeof got));
        MPI_Irecv(got, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        BUG(memset(got, 0, sizeof got));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT(got[2] == 3);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(value, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    return end();
}
