/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: accumulates are atomic with each other only if their basic types are equal.
 *
 * Both use MPI_INT.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int add = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&add, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Accumulate(&add, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
