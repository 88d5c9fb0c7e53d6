/* ranks: 2 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §3, Win_sync: direct access to another rank's segment is safe with Win_sync and a
 * happens-before edge.
 *
 * Both call Win_sync, but nothing orders them.
 */
#include <mpi.h>

volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, unit;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &other);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        mine[0] = 1; /* A */
    MPI_Win_sync(win);
    MPI_Win_sync(win);
    if (rank == 1)
        seen = other[0]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
