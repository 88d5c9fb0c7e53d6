/* ranks: 2 */
/* The buffer of MPI_Isend is filled anew before the send is complete. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 1, got[2] = {0, 0};
    MPI_Request requests[2];
    begin(&argc, &argv);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        REPAIR(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        value = 2;
        MPI_Isend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        BUG(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT(got[0] == 1 && got[1] == 2);
    }
    return end();
}
