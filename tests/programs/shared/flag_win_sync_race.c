/* ranks: 2 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §8: MPI_Win_sync is a fence, so it makes relaxed atomics in a shared window release and acquire.
 *
 * Nothing stands between the store and the relaxed store of the flag.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *cells;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank ? 0 : 256, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &cells);
    if (rank == 0)
        for (int i = 0; i < 64; i++)
            cells[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    volatile int sink = 0;
    if (rank == 0) {
        cells[16] = 7; /* A */
        __atomic_store_n(&cells[0], 1, __ATOMIC_RELAXED);
    } else {
        while (!__atomic_load_n(&cells[0], __ATOMIC_RELAXED))
            ;
        MPI_Win_sync(win);
        sink = cells[16]; /* B */
    }
    (void)sink;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
