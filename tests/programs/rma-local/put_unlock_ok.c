/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §2: Put reads its origin buffer until local completion, here by Win_unlock.
 *
 * The origin is overwritten after it.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static int value;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        value = 1;
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
        value = 2;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
