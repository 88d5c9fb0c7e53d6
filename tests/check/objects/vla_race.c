/* expect: local-race A B */
/* The buffer is a variable-length array. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc * 10;
    int row[n];
    MPI_Request req;
    row[0] = 1;
    MPI_Isend(row, n, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    row[n - 1] = 2; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
