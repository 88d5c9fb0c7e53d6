/* expect: none */
/* semantics §8 (Promises of fences): a fence with MPI_MODE_NOSUCCEED opens no epoch. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory[2] = {0}, value = 3;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int round = 0; round < 2; round++) {
        if (rank == 0)
            MPI_Put(&value, 1, MPI_INT, 1, round, 1, MPI_INT, win);
        MPI_Win_fence(round == 1 ? MPI_MODE_NOSUCCEED : 0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
