/* ranks: 2 */
/* After a barrier the message is taken to have arrived, and is read before the wait. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 44, got = 0, used = 0, i;
    MPI_Request request = MPI_REQUEST_NULL;
    begin(&argc, &argv);
    if (rank == 1)
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (i = 0; i < 3; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    REPAIR(MPI_Wait(&request, MPI_STATUS_IGNORE));
    used = got;
    BUG(MPI_Wait(&request, MPI_STATUS_IGNORE));
    printf("rank %d: %d\n", rank, used);
    EXPECT(rank == 0 || used == 44);
    return end();
}
