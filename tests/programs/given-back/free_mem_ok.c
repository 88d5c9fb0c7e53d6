/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1 and §8: memory that is given back counts as stored to.
 *
 * It comes behind.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *row;
    MPI_Alloc_mem(30000 * sizeof *row, MPI_INFO_NULL, &row);
    if (rank == 0)
        MPI_Isend(row + 20000, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Free_mem(row); /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
