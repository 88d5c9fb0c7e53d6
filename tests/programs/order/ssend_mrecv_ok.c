/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, §8: a matched probe is no receive: for the reverse edge of a synchronous send the
 * start of the Mrecv counts.
 *
 * The put is between Mprobe and Mrecv.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Message message;
    int one = 1, seen = 0, token = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(0, win);
        MPI_Mrecv(&token, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
