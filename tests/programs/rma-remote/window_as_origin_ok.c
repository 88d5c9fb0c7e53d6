/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §1 and §5: the origin buffer of a put may itself be window memory.
 *
 * Rank 1 puts from another element.
 */
#include <mpi.h>

static _Alignas(64) int mem[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    if (rank == 1) {
        MPI_Put(&mem[2], 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Get(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* the branches must end differently (README.md) */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
