/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a flag that Fetch_and_op raises; the owner of the memory reads
 * it by compare-and-swap, then loads the data.
 *
 * The put is flushed before the flag is raised.
 */
#include <mpi.h>

enum { FLAG, DATA };
static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, value = 42, flag = 0, old;
    int wrong = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, DATA, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Fetch_and_op(&one, &old, MPI_INT, 1, FLAG, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    } else {
        while (!flag) {
            MPI_Compare_and_swap(&one, &one, &flag, MPI_INT, 1, FLAG, win);
            MPI_Win_flush(1, win);
        }
        MPI_Win_sync(win);
        wrong = mem[DATA] < 0;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
