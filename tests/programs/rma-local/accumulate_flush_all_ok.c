/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §2: Accumulate reads its origin buffer until local completion; Win_flush_all is
 * one, for all targets.
 *
 * The addend is overwritten after it.
 */
#include <mpi.h>

static _Alignas(64) long mem[2];
static long add[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        add[0] = add[1] = 1;
        MPI_Accumulate(add, 2, MPI_LONG, 1, 0, 2, MPI_LONG, MPI_SUM, win); /* A */
        MPI_Win_flush_all(win);
        add[1] = 2;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
