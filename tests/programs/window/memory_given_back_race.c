/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §5: giving memory back counts as a store. MPI_Win_free waits for all that is under way.
 *
 * The memory is given back first.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, seen = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mem = calloc(16, sizeof *mem);
    MPI_Win_create(mem, 16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 1, 3, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
    }
    free(mem); /* B */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
