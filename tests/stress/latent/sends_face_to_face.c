/* ranks: 2 */
/* Both processes send before they receive: works as long as MPI buffers. */
#include "latent.h"

int main(int argc, char **argv)
{
    int mine, other = -1;
    begin(&argc, &argv);
    mine = rank;
    BUG(MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD));
    BUG(MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    REPAIR(MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
    EXPECT(other == 1 - rank);
    return end();
}
