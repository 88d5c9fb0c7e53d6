/* expect: remote-race A B */
/* The increment of the loop flushes another target than that of the get (MPI-4.0 12.5.4). */
#include <mpi.h>

int mem[8], buffer[8], number[3] = {0, 1, 2};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&buffer[0], 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        for (int seen = -1; seen != 1; MPI_Win_flush(1, win))
            MPI_Fetch_and_op(&number[0], &seen, MPI_INT, 1, 3, MPI_NO_OP, win);
        MPI_Accumulate(&buffer[1], 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /* B */
    }
    if (rank == 1)
        MPI_Accumulate(&number[1], 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
