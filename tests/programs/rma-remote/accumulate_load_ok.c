/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5, cell load/acc: an update conflicts with a load, an atomic read (MPI_NO_OP) does
 * not.
 *
 * The Get_accumulate only reads it.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, old = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win);
    else
        seen = mem[0]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
