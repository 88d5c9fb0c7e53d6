/* expect: local-race A B */
/* The result of a get is read before the fence. */
#include <mpi.h>

static int mem[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int value = 0;
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    seen = value; /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
