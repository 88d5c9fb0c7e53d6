/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: the owner that has seen an update of its flag may store there,
 * though the origin has not flushed yet. That holds for the update that it saw.
 *
 * Rank 1 has seen the first update, and stores without having seen the second.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

static void wait_for(int value, MPI_Win win)
{
    int flag = 0;

    while (flag != value) {
        MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
        MPI_Win_flush_local(1, win);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, two = 2;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Accumulate(&two, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win); /* A */
        MPI_Win_flush(1, win);
    } else {
        wait_for(1, win);
        mem[0] = 0;
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        mem[0] = 3; /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
