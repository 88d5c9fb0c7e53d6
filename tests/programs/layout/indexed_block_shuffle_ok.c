/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: unordered displacements cover the same bytes as ordered ones.
 *
 * Their elements are disjoint.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype scattered;
    int at[2][3] = {{6, 1, 4}, {7, 3, 0}};
    int value[3] = {1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_create_indexed_block(3, 1, at[rank % 2], MPI_INT, &scattered);
    MPI_Type_commit(&scattered);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 3, MPI_INT, 2, 0, 1, scattered, win); /* A */
    if (rank == 1)
        MPI_Put(value, 3, MPI_INT, 2, 0, 1, scattered, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&scattered);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
