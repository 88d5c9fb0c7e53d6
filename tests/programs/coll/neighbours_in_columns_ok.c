/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a nonblocking neighbourhood collective uses the bytes of each neighbour's block, by displacements in bytes and
 * datatypes of their own.
 *
 * The loop leaves out the columns that are sent and received.
 */
#include <mpi.h>

enum { WIDTH = 6, ROWS = 4 };
static double grid[ROWS][WIDTH];

int main(int argc, char **argv)
{
    int n, periodic = 1, first = 2;
    MPI_Comm ring;
    MPI_Request req;
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &ring);
    MPI_Type_vector(ROWS, 1, WIDTH, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    int counts[2] = {1, 1};
    MPI_Aint from[2] = {1 * sizeof(double), (WIDTH - 2) * sizeof(double)};
    MPI_Aint to[2] = {0, (WIDTH - 1) * sizeof(double)};
    MPI_Datatype types[2] = {column, column};
    MPI_Ineighbor_alltoallw(grid, counts, from, types, grid, counts, to, types, ring, &req);
    for (int i = 0; i < ROWS; i++)
        for (int k = first; k < WIDTH - 2; k++)
            grid[i][k] = i + k;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
