/* expect: remote-race A B */
/* Two origins put to one place at a third process. */
#include <mpi.h>

int mem[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank, size, value = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 5, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 5, 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
