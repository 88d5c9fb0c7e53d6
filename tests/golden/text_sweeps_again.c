/* Sweeps over an array, one after another in one epoch, begin at the same bytes: that is no polling. */
/* expect: remote-race 18 24 */
/* checks: compiled in */
/* says-not: looks like polling */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, one = 1;
    int *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(100 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else
        for (int again = 0; again < 3; again++) {
            __asm__ volatile("" ::: "memory");
            for (int i = 0; i < 100; i++)
                sum += memory[i];
        }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
