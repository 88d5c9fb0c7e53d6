/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §4: two origins far apart in time, and a target that takes no part.
 *
 * The sleep hides the race.
 */
#include <mpi.h>
#include <unistd.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(2, win);
    } else if (rank == 1) {
        usleep(250000);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
        MPI_Win_flush_all(win); /* the branches must end differently (README.md) */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
