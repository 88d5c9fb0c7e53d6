/* Rank 0 polls a flag in a window until rank 1 sets it.
 * ranks: 2
 * at: 1 - 23
 * cycle: none */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>


int main(int argc, char **argv)
{
    int rank, size, x = 1, y = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win); if (rank == 1)
        sleep(60);
    while (rank == 0 && !y) {
        MPI_Fetch_and_op(NULL, &y, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Finalize();
    return 0;
}
