/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8: that the owner has seen an update is over for that update, not for what comes when the memory serves another
 * window.
 *
 * The second window's owner stores when the other has said that it is done.
 */
#include <mpi.h>

static _Alignas(64) int memory[2];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else {
        while (!seen) {
            MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        memory[0] = 0;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        memory[0] = 2;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
