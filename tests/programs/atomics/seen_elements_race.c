/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: an update is known to be over at the elements that were
 * fetched: accumulates are atomic element by element.
 *
 * Rank 1 has fetched the first of two elements, and puts to the second.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int ones[2] = {1, 1}, zero = 0, flags[2] = {0, 0}, unused[2];
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(ones, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_REPLACE, win); /* A */
        MPI_Win_flush(1, win);
    } else {
        while (!flags[0]) {
            MPI_Get_accumulate(unused, 0, MPI_INT, flags, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win);
            MPI_Win_flush_local(1, win);
        }
        MPI_Put(&zero, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* B */
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
