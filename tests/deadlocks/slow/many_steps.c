/* Never in one call for long.
 * ranks: 4
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
    for (long i = 0; i < 1000000000; i++)
        MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 0, &y, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
