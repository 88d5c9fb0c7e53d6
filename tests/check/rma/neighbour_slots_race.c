/* expect: remote-race A B */
/* Everybody puts to the right neighbour and reads the slot, or another one. */
#include <mpi.h>

int mem[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank, value = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 1, 1, MPI_INT, win); /* A */
    seen = mem[1]; /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
