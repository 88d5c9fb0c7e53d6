/* One look in each step of a computation is no polling: all ranks wait for each other in between. */
/* expect: remote-race 22 26 */
/* checks: compiled in */
/* says-not: looks like polling */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, sum = 0;
    int *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    memory[1] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Win_lock_all(0, win);
    for (int step = 0; step < 8; step++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && step == 7) {
            MPI_Put(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
        }
        if (rank == 1)
            sum += memory[1];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum > 8;
}
