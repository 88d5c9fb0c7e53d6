/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §5: a put and a load of the same bytes with nothing that orders them.
 *
 * A star of five rows is taken over the inner columns of a window. Meanwhile a put fills one column of all rows: the last one that the
 * star reads.
 */
#include <mpi.h>

enum { N = 100, ROWS = 5, RADIUS = 2, EDGE = 2 };

static double taken[N];

static void star(const double *cells)
{
    for (long column = EDGE; column < N - EDGE; column++) {
        double sum = 0;
        for (long row = -RADIUS; row <= RADIUS; row++)
            sum += cells[(row + RADIUS) * N + column]; /* B */
        taken[column] = sum;
    }
}

int main(int argc, char **argv)
{
    int rank;
    double *cells, column[ROWS] = {1, 2, 3, 4, 5};
    MPI_Win win;
    MPI_Datatype down;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(ROWS, 1, N, MPI_DOUBLE, &down);
    MPI_Type_commit(&down);
    MPI_Win_allocate(ROWS * N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < ROWS * N; i++)
        cells[i] = i;
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(column, ROWS, MPI_DOUBLE, 1, N - EDGE - 1, 1, down, win); /* A */
    else
        star(cells);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&down);
    MPI_Finalize();
    return taken[EDGE] < 0;
}
