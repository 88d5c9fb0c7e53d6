/* Two communicators, two windows: the first rank of each half writes to the second rank of its own half. */
#include <mpi.h>

static int memory[8];

int main(int argc, char **argv)
{
    int rank, one = 1;
    MPI_Comm half;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, half, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
