/* ranks: 2 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §8: a flag in a shared window orders if its store releases and its load acquires.
 *
 * The store is relaxed.
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
    MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &cells);
    if (rank == 0)
        for (int i = 0; i < 64; i++)
            cells[i] = 0;
    MPI_Win_fence(0, win);
    volatile int sink = 0;
    if (rank == 0) {
        cells[16] = 7; /* A */
        __atomic_store_n(&cells[0], 1, __ATOMIC_RELAXED);
    } else {
        while (!__atomic_load_n(&cells[0], __ATOMIC_ACQUIRE))
            ;
        sink = cells[16]; /* B */
    }
    (void)sink;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
