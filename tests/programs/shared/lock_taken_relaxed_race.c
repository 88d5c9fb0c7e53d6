/* ranks: 3 */
/* needs: cc */
/* expect: shared-window A A */
/*
 * semantics §8: a lock in a shared window orders by the memory orders of its atomics.
 *
 * It is taken by a relaxed exchange.
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
    for (int round = 0; round < 2; round++) {
        while (__atomic_exchange_n(&cells[0], 1, __ATOMIC_RELAXED))
            ;
        cells[16] = rank; /* A */
        __atomic_store_n(&cells[0], 0, __ATOMIC_RELEASE);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
