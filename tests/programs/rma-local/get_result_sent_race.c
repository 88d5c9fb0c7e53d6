/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: a blocking Send loads its buffer.
 *
 * The result of a get is sent before it is there.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int result[2] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(result, 2, MPI_INT, 1, 0, 2, MPI_INT, win); /* A */
    if (rank == 0)
        MPI_Send(result, 2, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
    else
        MPI_Recv(result, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
