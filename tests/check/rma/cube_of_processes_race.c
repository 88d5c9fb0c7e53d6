/* expect: remote-race A B */
/* A cube of processes: two put to one place at the first. */
#include <mpi.h>
#include <stdlib.h>

int mem[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank, size, value = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int px = atoi(argv[1]), py = atoi(argv[2]), pz = atoi(argv[3]);
    if (px < 2 || py < 2 || pz < 2 || px * py * pz != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 3)
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* A */
    if (rank == 6)
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
