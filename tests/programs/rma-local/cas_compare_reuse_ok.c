/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: Compare_and_swap reads its origin and its compare buffer until local completion.
 *
 * The compare value is changed after it.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int wanted = 1, expected = 0, found = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Compare_and_swap(&wanted, &expected, &found, MPI_INT, 1, 0, win); /* A */
        MPI_Win_flush(1, win);
        expected = 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
