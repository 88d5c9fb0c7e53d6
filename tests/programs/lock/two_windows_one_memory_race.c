/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: locks of different windows do not exclude each other, even if the windows share
 * memory.
 *
 * The origins lock different windows over the same bytes.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win view;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &view);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(2, win);
    } else if (rank == 1) {
        MPI_Win use = view;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, use);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, use); /* B */
        MPI_Win_unlock(2, use);
    }
    MPI_Win_free(&view);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
