/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: a dynamic window may have several regions; displacements are addresses.
 *
 * Both origins put to the first region.
 */
#include <mpi.h>

static _Alignas(64) int first[4];
static _Alignas(64) int second[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win win;
    MPI_Aint at[2];
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, first, sizeof first);
    MPI_Win_attach(win, second, sizeof second);
    MPI_Get_address(first, &at[0]);
    MPI_Get_address(second, &at[1]);
    MPI_Bcast(at, 2, MPI_AINT, 2, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, at[0], 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, at[0], 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_detach(win, first);
    MPI_Win_detach(win, second);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
