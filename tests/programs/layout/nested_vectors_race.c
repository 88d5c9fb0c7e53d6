/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §1: a vector of vectors: the even columns of every second row of an 8 x 8 matrix.
 *
 * The owner stores at row 2, column 6, which is part of it.
 */
#include <mpi.h>

static _Alignas(64) int mem[64];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype row, grid;
    int value[16] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(4, 1, 2, MPI_INT, &row);
    MPI_Type_create_hvector(4, 1, 16 * sizeof(int), row, &grid);
    MPI_Type_commit(&grid);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(value, 16, MPI_INT, 1, 0, 1, grid, win); /* A */
    else
        mem[2 * 8 + 6] = 1; /* B */
    MPI_Win_fence(0, win);
    MPI_Type_free(&row);
    MPI_Type_free(&grid);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
