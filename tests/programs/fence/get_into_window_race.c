/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §2: a closing fence frees the origin buffers of its process, and §3 orders that with all that others do
 * after it. Here the buffer of a get is window memory.
 *
 * The put is in the same epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

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
        MPI_Get(&mem[1], 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    if (rank == 2)
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
