/* ranks: 4 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: with several locks held at once, the one on the target of the operation counts.
 *
 * Rank 0 holds rank 2 exclusively, but rank 3, where it puts, shared.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, win);
        MPI_Put(&value, 1, MPI_INT, 3, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(3, win);
        MPI_Win_unlock(2, win);
    } else if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, win);
        MPI_Put(&value, 1, MPI_INT, 3, 0, 1, MPI_INT, win); /* B */
        MPI_Win_unlock(3, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
