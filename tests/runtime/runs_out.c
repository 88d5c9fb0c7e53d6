/* Two races, between which the ranks synchronise world-wide more often than there may be numbers for that (runs_out.sh). */
#include <mpi.h>

int main(int argc, char **argv)
{
    char value = 1, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, win); /* early */
    MPI_Win_fence(0, win);
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Put(&value, 1, MPI_CHAR, 0, 8, 1, MPI_CHAR, win); /* late */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
