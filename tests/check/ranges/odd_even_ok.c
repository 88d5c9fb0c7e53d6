/* expect: none */
/* Every other element is sent; the loop writes those, or the ones between. */
#include <mpi.h>

static double grid[100];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Datatype odd;
    MPI_Type_vector(50, 1, 2, MPI_DOUBLE, &odd);
    MPI_Type_commit(&odd);
    MPI_Isend(grid, 1, odd, 0, 0, MPI_COMM_WORLD, &req); /* A */
    for (int i = 0; i < 50; i++)
        grid[2 * i + 1] = 0.0; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Type_free(&odd);
    MPI_Finalize();
    return 0;
}
