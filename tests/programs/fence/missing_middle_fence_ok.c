/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: data put in one epoch can be got in the next.
 *
 * It is there.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(out, 4, MPI_INT, 1 - rank, 0, 4, MPI_INT, win); /* A */
    MPI_Win_fence(0, win);
    MPI_Get(in, 2, MPI_INT, 1 - rank, 1, 2, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
