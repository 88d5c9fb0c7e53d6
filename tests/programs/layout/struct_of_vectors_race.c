/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: a struct of a vector and a block: elements 0, 2, 4 and 8 to 10.
 *
 * Rank 1 accumulates to elements 7 and 8.
 */
#include <mpi.h>

static _Alignas(64) int mem[12];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype comb, both, types[2];
    MPI_Aint at[2] = {0, 8 * sizeof(int)};
    int lengths[2] = {1, 3}, value[6] = {1, 2, 3, 4, 5, 6};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(3, 1, 2, MPI_INT, &comb);
    types[0] = comb;
    types[1] = MPI_INT;
    MPI_Type_create_struct(2, lengths, at, types, &both);
    MPI_Type_commit(&both);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 6, MPI_INT, 2, 0, 1, both, win); /* A */
    if (rank == 1)
        MPI_Accumulate(value, 2, MPI_INT, 2, 7, 2, MPI_INT, MPI_SUM, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&comb);
    MPI_Type_free(&both);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
