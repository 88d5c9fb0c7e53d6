/* ranks: 2 */
/* One MPI_Test whose flag nobody looks at. */
#include "latent.h"

int main(int argc, char **argv)
{
    int value = 5, got = 0, flag = 0, i;
    MPI_Request request = MPI_REQUEST_NULL;
    begin(&argc, &argv);
    if (rank == 1)
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (i = 0; i < 3; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        BUG(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        REPAIR(while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        printf("got %d\n", got);
        EXPECT(got == 5);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return end();
}
