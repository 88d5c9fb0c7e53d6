/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: topology constructors order like other constructors.
 *
 * The grid is made before the put.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm grid;
    int one = 1, seen = 0, size = 2, periodic = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&grid);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
