/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3 and §8: a spin lock of the compiler's atomics in a shared window orders processes, and synchronises memory.
 *
 * It is given back behind the store.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank ? 0 : 128, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &first);
    if (rank == 0)
        first[0] = first[16] = 0;
    MPI_Win_fence(0, win);
    for (int round = 0; round < 2; round++) {
        while (__atomic_exchange_n(&first[0], 1, __ATOMIC_ACQUIRE))
            ;
        first[16] = rank;
        __atomic_store_n(&first[0], 0, __ATOMIC_RELEASE);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
