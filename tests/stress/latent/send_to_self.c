/* ranks: 1 */
/* latent: openmpi */
/* A blocking send to the process itself before the receive is posted. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 3, got = 0;
    MPI_Request request;
    begin(&argc, &argv);
    BUG(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    REPAIR(MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    REPAIR(MPI_Wait(&request, MPI_STATUS_IGNORE));
    (void)request;
    EXPECT(got == 3);
    return end();
}
