/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: accumulates are atomic with each other only if their operations are equal or one
 * is MPI_NO_OP.
 *
 * MPI_SUM meets MPI_NO_OP.
 */
#include <mpi.h>

static _Alignas(64) long mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long value = rank, old = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_LONG, 2, 0, 1, MPI_LONG, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Fetch_and_op(&value, &old, MPI_LONG, 2, 0, MPI_NO_OP, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
