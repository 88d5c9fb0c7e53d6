/* ranks: 3
 * stuck: 0 MPI_Win_fence|MPI_Win_free 15-16
 * stuck: 1 MPI_Win_free|MPI_Finalize 16-17
 * stuck: 2 MPI_Win_fence|MPI_Win_free 15-16
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < (rank == 1 ? 1 : 2); i++) MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
