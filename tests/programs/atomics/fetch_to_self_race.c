/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §2: a fetching accumulate that updates is complete at its flush or unlock, not when its result might be there;
 * §4: a process is not ordered with its own operations that are not complete.
 *
 * A process counts at itself by MPI_Fetch_and_op and looks at the counter before the operation is complete.
 */
#include <mpi.h>

static _Alignas(64) int counter[2];

int main(int argc, char **argv)
{
    int rank, one = 1, before = 0;
    volatile int seen = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(counter, sizeof counter, sizeof counter[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win); /* A */
        seen = counter[0]; /* B */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen > 1;
}
