/* The load is by another rank than the one whose memory it is: which window is said all the same. */
/* expect-warning: shared-window 24 27 */
/* checks: compiled in */
/* says: window made at */
/* says: "call": "MPI_Win_allocate_shared" */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit;
    int *cells;
    volatile int sink = 0;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 1 ? 4 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_shared_query(win, 1, &size, &unit, &cells);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1)
        cells[1] = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        sink = cells[1];

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    (void)sink;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
