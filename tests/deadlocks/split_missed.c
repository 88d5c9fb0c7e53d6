/* A constructor of communicators is collective, too.
 * ranks: 2
 * stuck: 0 MPI_Comm_split 13
 * stuck: 1 MPI_Barrier 15
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank; MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
