/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: with locks on two targets at once, each unlock completes its own target's
 * operations.
 *
 * Rank 1's lock is released first.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 0, two = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Get(&two, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        seen = one; /* B */
        MPI_Win_unlock(2, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
