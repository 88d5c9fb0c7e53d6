/* expect: remote-race A B */
/* A put under a lock and a load of the target; a barrier orders them, or nothing. */
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
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
    }
    if (rank == 1)
        seen = mem[0]; /* B */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
