/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: a derived datatype covers its type map; interleaved vectors need not touch.
 *
 * Rank 1's elements 6 and 8 meet the last of rank 0's elements 0, 2, 4, 6.
 */
#include <mpi.h>

static _Alignas(64) int mem[10];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype four, two;
    int value[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(4, 1, 2, MPI_INT, &four);
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&four);
    MPI_Type_commit(&two);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 4, MPI_INT, 2, 0, 1, four, win); /* A */
    if (rank == 1)
        MPI_Put(value, 2, MPI_INT, 2, 6, 1, two, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&four);
    MPI_Type_free(&two);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
