/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §2: local completion of a fetching accumulate ends its read half only.
 *
 * MPI_SUM also writes, and flush_local says nothing about that.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, old = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Fetch_and_op(&one, &old, MPI_INT, 1, 0, MPI_SUM, win); /* A */
        MPI_Win_flush_local(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        mem[0] = 9; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
