/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: a fence with MPI_MODE_NOPRECEDE promises no barrier (MPI-4.0 §12.5.1).
 *
 * The fence of another window, called with MPI_MODE_NOPRECEDE, does not order the put with the
 * get.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static _Alignas(64) int more[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Win other;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(more, sizeof more, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Win_fence(MPI_MODE_NOPRECEDE, other);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
