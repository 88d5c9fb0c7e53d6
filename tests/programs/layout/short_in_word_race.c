/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §1: four shorts share an 8-byte word.
 *
 * The owner loads the short that is put.
 */
#include <mpi.h>

static _Alignas(64) short mem[4];
volatile short seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    short value = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_SHORT, 1, 2, 1, MPI_SHORT, win); /* A */
    else
        seen = mem[2]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
