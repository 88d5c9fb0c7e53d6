/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Sendrecv_replace has both a send and a receive; MPI_PROC_NULL is no peer.
 *
 * The ranks exchange with each other.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank + 1;
    int token = 0;
    int to = 1 - rank, from = 1 - rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Sendrecv_replace(&token, 1, MPI_INT, to, 0, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
