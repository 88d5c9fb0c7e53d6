/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: window memory is a part of an array, with memory that is none on both sides of it, pages away.
 *
 * The sweep ends right before the element that is put.
 */
#include <mpi.h>

enum { N = 200000, FIRST = N / 2 };
static double data[N];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    double one = 1;
    MPI_Win_create(&data[FIRST], 8 * sizeof data[0], sizeof data[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_DOUBLE, 1, 1, 1, MPI_DOUBLE, win); /* A */
    else
        for (int i = 0; i < FIRST + 1; i++)
            data[i] = i;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
