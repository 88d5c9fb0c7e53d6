/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: two flags side by side, one says that the data will come, one
 * that they are there.
 *
 * Rank 1 waits for the right one.
 */
#include <mpi.h>
#include <stddef.h>

enum { COMING, THERE, DATA };
static _Alignas(64) int mem[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, value = 42, flag = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, COMING, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        MPI_Put(&value, 1, MPI_INT, 1, DATA, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, THERE, 1, MPI_INT, MPI_REPLACE, win);
    } else {
        while (!flag) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, THERE, MPI_NO_OP, win);
            MPI_Win_flush_local(1, win);
        }
        MPI_Get(&value, 1, MPI_INT, 1, DATA, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
