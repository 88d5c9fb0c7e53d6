/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Comm_split orders all members of the old communicator, whatever their colour; the
 * new communicator is smaller.
 *
 * The split is done by all.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank + 1;
    MPI_Comm part, piece;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_dup(MPI_COMM_WORLD, &part);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Comm_split(part, rank, 0, &piece);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&piece);
    MPI_Comm_free(&part);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
