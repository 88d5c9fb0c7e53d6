/* ranks: 2 */
/* The next contribution is computed in place while the reduction of the last one is under way. */
#include "latent.h"

int main(int argc, char **argv)
{
    int mine = 1, sum = 0, i;
    MPI_Request request;
    begin(&argc, &argv);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    for (i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    REPAIR(MPI_Wait(&request, MPI_STATUS_IGNORE));
    mine = 100;
    BUG(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EXPECT(sum == 2 && mine == 100);
    return end();
}
