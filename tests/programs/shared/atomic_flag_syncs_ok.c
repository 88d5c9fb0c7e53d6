/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8, memory synchronisation of shared windows: atomics of the language order and synchronise.
 *
 * The flag is an atomic.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdatomic.h>

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
    atomic_int *flag = (atomic_int *)&cells[2];
    if (rank == 0)
        atomic_store(flag, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        cells[1] = 7; /* A */
        atomic_store(flag, 1);
    } else {
        while (!atomic_load(flag))
            ;
        sink = cells[1]; /* B */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    (void)sink;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
