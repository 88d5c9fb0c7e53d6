/* ranks: 2 */
/* A message sent before a barrier is looked for once, and forgotten if MPI_Iprobe does not see it yet. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 6, got = 0, flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    begin(&argc, &argv);
    if (rank == 0)
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 4; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        BUG(MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        REPAIR(while (!flag) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        printf("message: %d\n", flag);
        EXPECT(flag);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return end();
}
