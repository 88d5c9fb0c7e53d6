/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: an operation on MPI_PROC_NULL touches nothing, not even its origin.
 *
 * The target is MPI_PROC_NULL.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 1;
    int target = MPI_PROC_NULL;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win); /* A */
        value = 2; /* B */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
