/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1: bytes are exact.
 *
 * Bytes 0-2 and 2-4 share byte 2.
 */
#include <mpi.h>

static _Alignas(64) char mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char value[3] = {1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 3, MPI_CHAR, 2, 0, 3, MPI_CHAR, win); /* A */
    if (rank == 1)
        MPI_Put(value, 3, MPI_CHAR, 2, 2, 3, MPI_CHAR, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
