/* Two communicators, two orders.
 * ranks: 2
 * stuck: 0 MPI_Barrier 15
 * stuck: 1 MPI_Barrier 18
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0) {  MPI_Barrier(copy);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(copy);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
