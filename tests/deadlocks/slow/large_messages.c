/* Large messages, one after the other.
 * ranks: 2
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
    int n = 1 << 25;
    char *buffer = calloc(n, 1);
    for (int i = 0; i < 1000000; i++)
        if (rank == 0)
            MPI_Send(buffer, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(buffer, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
