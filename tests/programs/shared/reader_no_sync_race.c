/* ranks: 2 */
/* needs: cc */
/* expect: none */
/* warns: shared-window A B */
/*
 * semantics §8, memory synchronisation of shared windows: a load that is ordered behind the store of another process also needs both to synchronise memory.
 *
 * Only the writer calls MPI_Win_sync.
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, unit;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    volatile int sink = 0;
    int *cells;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(rank == 0 ? 4 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &cells);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        cells[1] = 7; /* A */
    if (rank == 1)
        MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        sink = cells[1]; /* B */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    (void)sink;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
