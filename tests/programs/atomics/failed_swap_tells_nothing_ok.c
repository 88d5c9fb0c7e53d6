/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8: a failed compare-and-swap is no update, so who reads the value that it left has learnt nothing.
 *
 * The swap succeeds, and the reader waits for its value.
 */
#include <mpi.h>

static _Alignas(64) int flag[1] = {7};
static _Alignas(64) int account[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 9, expected, seen = 0;
    int end = 9;
    expected = end == 7 ? 8 : 7;
    MPI_Win win, data;
    MPI_Win_create(flag, sizeof flag, sizeof flag[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, data);
        MPI_Win_flush(1, data);
        MPI_Compare_and_swap(&value, &expected, &seen, MPI_INT, 1, 0, win);
        MPI_Win_flush(1, win);
    } else {
        while (seen != end) {
            MPI_Fetch_and_op(&value, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush_local(1, win);
        }
        MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, data);
        MPI_Win_flush(1, data);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
