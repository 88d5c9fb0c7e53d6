/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: two subarrays of one matrix.
 *
 * Columns 0-1 and columns 1-2 share column 1.
 */
#include <mpi.h>

static _Alignas(64) double mem[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype half;
    int size[2] = {4, 4}, part[2] = {4, 2}, from[2] = {0, rank == 0 ? 0 : 1};
    double value[8] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_create_subarray(2, size, part, from, MPI_ORDER_C, MPI_DOUBLE, &half);
    MPI_Type_commit(&half);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(value, 8, MPI_DOUBLE, 2, 0, 1, half, win); /* A */
    if (rank == 1)
        MPI_Put(value, 8, MPI_DOUBLE, 2, 0, 1, half, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Type_free(&half);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
