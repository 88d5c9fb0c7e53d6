/* Rank 1 has one fence less, and waits for a message that rank 0 sends behind its second one.
 * ranks: 3
 * stuck: 0 MPI_Win_fence 18
 * stuck: 1 MPI_Recv 22
 * stuck: 2 MPI_Win_fence 18
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory = 0, x = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank != 1)
        MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
