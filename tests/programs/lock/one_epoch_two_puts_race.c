/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §2 and §3: each unlock completes; one long epoch does not.
 *
 * Both puts are in one exclusive epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = 1, second = 2;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&first, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Put(&second, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
