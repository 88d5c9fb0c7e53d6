/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: in Allgatherv a rank that contributes nothing orders nothing after itself.
 *
 * Rank 0 contributes nothing.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    int mine = 1, all[3];
    int counts[3] = {0, 1, 1}, at[3] = {0, 1, 2};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Allgatherv(&mine, counts[rank], MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
