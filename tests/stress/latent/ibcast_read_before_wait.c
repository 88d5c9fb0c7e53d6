/* ranks: 3 */
/* After some barriers the broadcast is taken to be over, and its data are read before the wait. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value[8] = {0}, used = 0, i;
    MPI_Request request;
    begin(&argc, &argv);
    if (rank == 0)
        value[7] = 55;
    MPI_Ibcast(value, 8, MPI_INT, 0, MPI_COMM_WORLD, &request);
    for (i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    REPAIR(MPI_Wait(&request, MPI_STATUS_IGNORE));
    used = value[7];
    BUG(MPI_Wait(&request, MPI_STATUS_IGNORE));
    printf("rank %d: %d\n", rank, used);
    EXPECT(used == 55);
    return end();
}
