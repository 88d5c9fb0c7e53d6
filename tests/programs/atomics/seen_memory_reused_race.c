/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: the owner that has seen an update of its flag may store there,
 * though the origin has not flushed yet. That holds for the update that it saw, not for the memory.
 *
 * The memory is in a window again after the first one is gone. Rank 1 stores without having seen the update of this one.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

static void see(MPI_Win win, int wanted)
{
    int seen = 0;

    while (seen != wanted) {
        MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
    }
}

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    else
        see(win, 1);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);

    value = 2;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win); /* A */
    else
        mem[0] = 3; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
