/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: in Alltoallv each pair of ranks has its own contribution.
 *
 * Rank 0 sends rank 1 nothing; that rank 1 sends to rank 0 does not help.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    int out[2] = {0}, in[2] = {0}, at[2] = {0, 1};
    int forward = 0;
    int sends[2] = {1, rank == 0 ? forward : 1}, receives[2] = {rank == 0 ? 1 : forward, 1};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Alltoallv(out, sends, at, MPI_INT, in, receives, at, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
