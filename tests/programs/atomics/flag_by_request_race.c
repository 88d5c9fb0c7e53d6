/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a fetch ends with the wait for its request, also one that
 * updates what it fetches.
 *
 * The flag is raised before the put is flushed.
 */
#include <mpi.h>

enum { FLAG, DATA };
static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, none = 0, value = 42, flag = 0;
    MPI_Request request;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 2, DATA, 1, MPI_INT, win); /* A */
        MPI_Accumulate(&one, 1, MPI_INT, 2, FLAG, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(2, win);
    } else if (rank == 1) {
        while (!flag) {
            MPI_Rget_accumulate(&none, 1, MPI_INT, &flag, 1, MPI_INT, 2, FLAG, 1, MPI_INT, MPI_SUM, win, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Get(&value, 1, MPI_INT, 2, DATA, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
