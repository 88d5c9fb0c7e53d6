/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, §8: the ranks begin to have windows at different times; what orders them is the same.
 *
 * The barrier is one of the pair only.
 */
#include <mpi.h>

static _Alignas(64) int mem[1], small[1];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0;
    MPI_Comm pair;
    MPI_Win inner = MPI_WIN_NULL, win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &pair);
    if (rank != 2)
        MPI_Win_create(small, sizeof small, sizeof small[0], MPI_INFO_NULL, pair, &inner);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    if (rank != 2)
        MPI_Barrier(pair);
    if (rank == 2)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (rank != 2)
        MPI_Win_free(&inner);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
