/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: direct stores, and a flag that is set and polled by atomics of MPI on the same window, with MPI_Win_sync on both
 * sides.
 *
 * The flag is set behind the store.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, sum = 0, one = 1, seen = 0, *mine, *first;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        first[0] = first[8] = 0;
        MPI_Win_sync(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        first[8] = 5;
        MPI_Win_sync(win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else {
        while (!seen) {
            MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Win_sync(win);
        sum = first[8];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
