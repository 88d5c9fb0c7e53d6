/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §5: two gets in flight may not write the same origin bytes.
 *
 * Both results go to the same place.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int result[4] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(result, 2, MPI_INT, 1, 0, 2, MPI_INT, win); /* A */
        MPI_Get(result + 1, 2, MPI_INT, 1, 2, 2, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
