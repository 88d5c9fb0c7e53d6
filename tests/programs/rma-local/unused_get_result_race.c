/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: the closing fence completes the gets of its epoch.
 *
 * The result is loaded before the closing fence, and never used.
 */
#include <mpi.h>

static _Alignas(64) double mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double halo[2] = {0.0, 0.0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get(halo, 2, MPI_DOUBLE, 1 - rank, 2, 2, MPI_DOUBLE, win); /* A */
    double edge = halo[1]; /* B */
    (void)edge;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
