/* expect-sources: shared-window A B */
/* semantics §3: direct loads and stores of two processes in a shared-memory window are ordered by the barrier, or not. */
#include <mpi.h>

volatile int seen;

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first;
    MPI_Aint size;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        mine[2] = 5; /* A */
    MPI_Win_sync(win);
    MPI_Win_sync(win);
    if (rank == 1)
        seen = first[2]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
