/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a block of length 0 touches nothing.
 *
 * The middle block has length 0.
 */
#include <mpi.h>

static _Alignas(64) int mem[5];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype blocks;
    int lengths[3] = {1, 0, 1};
    int at[3] = {0, 2, 4}, value[3] = {1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_indexed(3, lengths, at, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(value, 2 + lengths[1], MPI_INT, 1, 0, 1, blocks, win); /* A */
    else
        mem[2] = 9; /* B */
    MPI_Win_fence(0, win);
    MPI_Type_free(&blocks);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
