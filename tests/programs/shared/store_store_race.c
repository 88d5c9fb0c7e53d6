/* ranks: 2 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §3: a direct store to another rank's segment is an access to that rank's window bytes.
 *
 * Both ranks store into rank 1's first element.
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
    MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 1, &size, &unit, &other);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        other[0] = 1; /* A */
    else
        mine[0] = 2; /* B */
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
