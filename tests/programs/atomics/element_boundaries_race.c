/* ranks: 3 */
/* needs: run */
/* expect: atomicity A B */
/*
 * semantics §5: accumulates are atomic element by element, so the elements' boundaries have to
 * coincide.
 *
 * The complex number of rank 1 begins in the middle of that of rank 0.
 */
#include <mpi.h>
#include <complex.h>

static _Alignas(64) double mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double complex value = 1.0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_C_DOUBLE_COMPLEX, 2, 0, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Accumulate(&value, 1, MPI_C_DOUBLE_COMPLEX, 2, 1, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
