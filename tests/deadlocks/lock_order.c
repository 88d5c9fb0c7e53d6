/* Each holds the lock of one target and wants that of the other.
 * ranks: 2
 * stuck: 0 MPI_Win_lock|MPI_Put|MPI_Win_flush 19-21
 * stuck: 1 MPI_Win_lock|MPI_Put|MPI_Win_flush 19-21
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, x = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    memory[0] = rank;
    MPI_Win_flush(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Put(&x, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
