/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: an indexed type covers its blocks: here elements 0, 1 and 5.
 *
 * Rank 1 puts to element 5.
 */
#include <mpi.h>

static _Alignas(64) int mem[6];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype blocks;
    int lengths[2] = {2, 1}, at[2] = {0, 5}, value[3] = {1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_indexed(2, lengths, at, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 3, MPI_INT, 2, 0, 1, blocks, win); /* A */
    if (rank == 1)
        MPI_Put(value, 3, MPI_INT, 2, 3, 3, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&blocks);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
