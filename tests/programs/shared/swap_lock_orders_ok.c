/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8: a compare-and-exchange in a shared window has two memory orders; one that succeeds has the first.
 *
 * It acquires where it succeeds.
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
        int free = 0;
        while (!__atomic_compare_exchange_n(&cells[0], &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            free = 0;
        cells[16] = rank;
        __atomic_store_n(&cells[0], 0, __ATOMIC_RELEASE);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
