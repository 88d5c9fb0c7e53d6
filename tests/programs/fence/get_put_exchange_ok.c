/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §5, cell get/put, in a symmetric exchange.
 *
 * Each rank gets the other element.
 */
#include <mpi.h>

static _Alignas(64) double mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double out = rank, in = 0.0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&out, 1, MPI_DOUBLE, 1 - rank, 0, 1, MPI_DOUBLE, win); /* A */
    MPI_Get(&in, 1, MPI_DOUBLE, 1 - rank, 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
