/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: a type may run backwards: from element 6 down to 0 in steps of 2.
 *
 * Rank 1 puts to element 0.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype down;
    int value[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(4, 1, -2, MPI_INT, &down);
    MPI_Type_commit(&down);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 4, MPI_INT, 2, 6, 1, down, win); /* A */
    if (rank == 1)
        MPI_Put(value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&down);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
