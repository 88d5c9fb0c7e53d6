/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5, cell put/put, in a ring where everybody puts to both neighbours.
 *
 * Each side has its slot.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, left, 1, 1, MPI_INT, win); /* A */
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
