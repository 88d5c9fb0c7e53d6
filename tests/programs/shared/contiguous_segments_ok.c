/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: the segments of a shared window lie one behind the other; running over the end of
 * mine is the beginning of the next.
 *
 * Rank 0's loop stays in its segment.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *mine;
    MPI_Win win;
    MPI_Win_allocate_shared(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            mine[i] = i; /* A */
    else
        mine[0] = 9; /* B */
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
