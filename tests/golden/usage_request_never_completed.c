/* All operations must be locally complete before MPI_Finalize (MPI-4.0 §11.2.2). */
/* ranks: 2 */
/* expect: usage 14 - */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    int out = 1, in;
    MPI_Request send;
    MPI_Isend(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &send);
    MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
