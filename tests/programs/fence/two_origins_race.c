/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: a fence orders all with all, so operations of different epochs are ordered.
 *
 * Ranks 0 and 1 put to the same element in one epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
