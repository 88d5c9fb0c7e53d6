/* ranks: 3 */
/* needs: run */
/* expect: remote-race A A */
/*
 * semantics §3, atomics as synchronisation: a ticket lock. Tickets are drawn by Fetch_and_op, the number
 * served is read by Get_accumulate with MPI_NO_OP and raised by Accumulate.
 *
 * The next number is called before the put is flushed.
 */
#include <mpi.h>

enum { TICKET, SERVED, DATA };
static _Alignas(64) int mem[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, ticket, served, unused;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, TICKET, MPI_SUM, win);
    MPI_Win_flush(0, win);
    do {
        MPI_Get_accumulate(&unused, 0, MPI_INT, &served, 1, MPI_INT, 0, SERVED, 1, MPI_INT, MPI_NO_OP, win);
        MPI_Win_flush_local(0, win);
    } while (served != ticket);
    MPI_Put(&rank, 1, MPI_INT, 0, DATA, 1, MPI_INT, win); /* A */
    MPI_Accumulate(&one, 1, MPI_INT, 0, SERVED, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
