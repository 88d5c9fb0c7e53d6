/* ranks: 2 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §3: accesses in two lock epochs on one target, one of them exclusive, never race;
 * direct ones are no exception.
 *
 * Both ranks hold shared locks of rank 1.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, unit;
    MPI_Aint size;
    MPI_Win win;
    int kind = MPI_LOCK_SHARED;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 1, &size, &unit, &other);
    MPI_Win_lock(kind, 1, 0, win);
    if (rank == 0)
        other[0] = 1; /* A */
    else
        mine[0] = 2; /* B */
    MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
