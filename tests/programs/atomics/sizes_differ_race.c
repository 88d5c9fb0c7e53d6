/* ranks: 3 */
/* needs: run */
/* expect: atomicity A B */
/*
 * semantics §5: a wide accumulate is not atomic with a narrow one to a part of the same bytes.
 *
 * MPI_LONG covers the two ints, one of which is accumulated by the other origin.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long wide = 1;
    int narrow[2] = {1, 1};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&wide, 1, MPI_LONG, 2, 0, 1, MPI_LONG, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Accumulate(narrow, 1, MPI_INT, 2, 1, 1, MPI_INT, MPI_SUM, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
