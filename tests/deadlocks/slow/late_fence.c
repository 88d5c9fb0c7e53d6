/* ranks: 3
 * at: 0 MPI_Win_fence 22
 * at: 2 - 21
 * cycle: none */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>


int main(int argc, char **argv)
{
    int rank, size, x = 1, y = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win win;
    int memory = 0;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 2)
        sleep(60);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
