/* expect: remote-race A A */
/* Meant for two processes, perhaps, but not checked: with three, two of them put to one place. A warning. */
#include <mpi.h>

int mem[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank, size, value = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 4, MPI_BYTE, 1, 0, 4, MPI_BYTE, win);
    else
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
