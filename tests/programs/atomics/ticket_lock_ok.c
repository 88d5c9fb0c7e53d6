/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a ticket lock: draw by Fetch_and_op, wait for one's turn by atomic reads.
 *
 * It waits.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, ticket = 0, value = rank;
    int turn = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    do {
        MPI_Fetch_and_op(NULL, &turn, MPI_INT, 0, 1, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    } while (turn != ticket);
    MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* A */
    MPI_Win_flush(0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
