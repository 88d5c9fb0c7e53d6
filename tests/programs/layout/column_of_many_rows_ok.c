/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a column of a thousand rows against the owner's loop over a column.
 *
 * The owner works on column 3.
 */
#include <mpi.h>

static _Alignas(64) double mem[1000 * 4];
static double column[1000];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype one_column;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(1000, 1, 4, MPI_DOUBLE, &one_column);
    MPI_Type_commit(&one_column);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(column, 1000, MPI_DOUBLE, 1, 2, 1, one_column, win); /* A */
    else
        for (int row = 0; row < 1000; row++)
            mem[4 * row + 3] = row;
    MPI_Win_fence(0, win);
    MPI_Type_free(&one_column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
