/* expect: local-race A B */
/* A store into the column that is being received. */
#include <mpi.h>

static double grid[10][12];

int main(int argc, char **argv)
{
    int sizes[2] = {10, 12}, part[2] = {10, 1}, start[2] = {0, 3};
    MPI_Datatype column;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(grid, 1, column, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    grid[5][3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
