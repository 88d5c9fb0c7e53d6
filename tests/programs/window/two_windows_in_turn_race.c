/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §2 and §3: accesses through two windows over the same memory are fine if they are
 * ordered.
 *
 * The flush is on the wrong window, so that the put through the first is not complete at the
 * barrier.
 */
#include <mpi.h>

static _Alignas(64) int mem[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Win view;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &view);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, view);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 3, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, view);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 3, 1, MPI_INT, view); /* B */
    MPI_Win_unlock_all(view);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&view);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
