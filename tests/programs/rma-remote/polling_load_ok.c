/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5: a load polled in a loop against a concurrent put is a race; an atomic read against
 * an atomic write is not.
 *
 * The flag is accumulated and polled by Fetch_and_op.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    } else {
        int flag = 0;
        while (!flag) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
