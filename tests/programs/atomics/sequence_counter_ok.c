/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3 and §5: a sequence counter tells a reader that what it read was no good, but reading it was a race all the same
 * if it was no atomic read.
 *
 * The values are written and read by accumulates of one type.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int board[3];

int main(int argc, char **argv)
{
    int rank, before, after, one = 1, values[2] = {3, 4}, copy[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(board, sizeof board, sizeof board[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        /* The reader has looked at the counter. */
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(values, 2, MPI_INT, 0, 1, 2, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else {
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Get_accumulate(NULL, 0, MPI_INT, copy, 2, MPI_INT, 0, 1, 2, MPI_INT, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&one, &after, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
