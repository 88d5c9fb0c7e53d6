/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: a flush completes operations of its own window.
 *
 * The operation went through the first window, the flush is on the second.
 */
#include <mpi.h>

static _Alignas(64) int mem[1], more[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 1;
    MPI_Win other;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(more, sizeof more, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, other);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, other);
        value = 2; /* B */
    }
    MPI_Win_unlock_all(other);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
