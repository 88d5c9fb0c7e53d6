/* expect: local-race A B */
/* A parameter is the origin of a put that nobody completes before the function returns. */
#include <mpi.h>

static __attribute__((noinline)) void write_cell(MPI_Win win, int to, long value)
{
    MPI_Put(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, win); /* A */
} /* B */

int main(int argc, char **argv)
{
    long cell[1] = {0};
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(cell, sizeof cell, sizeof cell[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        write_cell(win, 1, 7);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
