/* expect: remote-race A B */
/* Two processes synchronise by something that only the program knows of, and say so, or not. */
#include "../../../include/regatta.h"

#include <mpi.h>


static int memory[4];

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
    }
    if (rank == 1) {
        memory[0] = 2; /* B */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
