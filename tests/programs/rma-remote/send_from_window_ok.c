/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: a blocking Send from window memory is a load of the program.
 *
 * Rank 0 puts after a barrier that rank 1 enters when its Send is over.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in = 0, one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    } else {
        MPI_Send(mem, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* B */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
