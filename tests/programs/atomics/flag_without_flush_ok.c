/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3 and §4: the flag tells of what was remotely complete when it was issued; a put and
 * an accumulate have no order between them. Nothing is completed at the target until the reader has
 * answered, so that it cannot have learnt of a later flush.
 *
 * A flush completes them first.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, data = 42, seen = 0, flag = 0, old = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&data, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Fetch_and_op(&one, &old, MPI_INT, 1, 0, MPI_REPLACE, win);
        MPI_Win_flush_local(1, win);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        while (!flag) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Get(&seen, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* B */
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
