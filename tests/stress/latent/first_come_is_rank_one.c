/* ranks: 3 */
/* A receive from anybody is taken to get rank 1's message, which was sent first. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0) {
        int got[2] = {0, 0};
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++) {
            BUG(MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            REPAIR(MPI_Recv(&got[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        printf("first %d\n", got[0]);
        EXPECT(got[0] == 1);
    } else {
        int token = 0;
        if (rank == 2)
            MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        if (rank == 1)
            MPI_Send(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return end();
}
