/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: several vectors in a row: the next begins where the extent of the last ends. Two
 * of vector(2,1,2) cover 0, 2, 3 and 5.
 *
 * Rank 1 gets element 3.
 */
#include <mpi.h>

static _Alignas(64) int mem[6];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype pair;
    int value[4] = {1, 2, 3, 4}, seen = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 4, MPI_INT, 2, 0, 2, pair, win); /* A */
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 2, 3, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
