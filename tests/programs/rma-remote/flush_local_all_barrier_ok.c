/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §2: Win_flush_local_all is local, Win_flush_all is remote.
 *
 * The barrier followed a flush_all.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush_all(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
