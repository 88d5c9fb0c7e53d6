/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5, cell store/acc: an atomic read conflicts with a store, though not with a load.
 *
 * The owner's store comes after a barrier that follows the flush.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) long mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long old = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Fetch_and_op(NULL, &old, MPI_LONG, 1, 0, MPI_NO_OP, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        mem[0] = 3; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
