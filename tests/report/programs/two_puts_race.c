/* Two puts to the same bytes in one epoch: which one is last is MPI's choice. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *memory, one = 1, two = 2;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Put(&two, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    if (rank == 1)
        printf("value %d\n", memory[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
