/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: a neighbour that gives zero bytes gives no order.
 *
 * Rank 0 gives nothing to rank 1.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, size = 3, period = 1;
    int from[2] = {0}, to[2], counts[2] = {0}, rcounts[2] = {0}, displs[2] = {0, 1};
    MPI_Comm ring;
    MPI_Win win;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(2, win);
        counts[1] = 0;
    }
    if (rank == 1)
        rcounts[0] = 0;
    MPI_Neighbor_alltoallv(from, counts, displs, MPI_INT, to, rcounts, displs, MPI_INT, ring);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
