/* ranks: 3 */
/* needs: run */
/* expect: atomicity A B */
/*
 * semantics §5: MPI_REPLACE is an operation like others: it goes with itself only.
 *
 * MPI_REPLACE meets MPI_SUM.
 */
#include <mpi.h>

static _Alignas(64) double mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_DOUBLE, 2, 0, 1, MPI_DOUBLE, MPI_REPLACE, win); /* A */
    if (rank == 1)
        MPI_Accumulate(&value, 1, MPI_DOUBLE, 2, 0, 1, MPI_DOUBLE, MPI_SUM, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
