/* ranks: 3
 * at: 0 MPI_Comm_split 20
 * at: 1 - 19
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
    MPI_Comm part;
    if (rank == 1)
        sleep(60);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
