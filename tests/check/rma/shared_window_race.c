/* expect: remote-race A B */
/* The owner writes the memory of its shared window in the epoch in which another process puts into it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        memory[0] = 2; /* B */
    if (rank == 1)
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
