/* No lock helps against memory that is freed under a window. */
/* expect: remote-race 21 24 */
/* checks: compiled in */
/* says: gives back 4 bytes of mem at rank 1 */
/* says: before the free, e.g. by MPI_Barrier or a message: the memory of a window is given back when nobody uses it any more. */
/* says-not: exclusive lock */
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
        MPI_Get(&seen, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    free(mem);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
