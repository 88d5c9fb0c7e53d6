/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: the basic types inside derived ones count, not how they are laid out.
 *
 * A strided and a contiguous sum of ints meet in elements 0 and 2.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype every_other;
    int add[4] = {1, 1, 1, 1};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(add, 2, MPI_INT, 2, 0, 1, every_other, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Accumulate(add, 3, MPI_INT, 2, 0, 3, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&every_other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
