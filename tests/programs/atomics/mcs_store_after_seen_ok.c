/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: atomics as synchronisation, as MCS locks need it. Rank 1 sees by an atomic read that rank 0's update
 * has come, and stores there afterwards: the update is over at the target, whenever rank 0's flush returns.
 *
 * Rank 1 waits with atomic reads.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, nothing = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    } else {
        while (!seen) {
            MPI_Fetch_and_op(&nothing, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        mem[0] = 0;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
