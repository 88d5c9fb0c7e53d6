/* Two calls of one name: the texts say which is which. */
/* expect: local-race 17 18 */
/* says: complete the first MPI_Get before the second MPI_Get */
/* says: when the second MPI_Get writes the same bytes */
/* says-not: complete the MPI_Get before the MPI_Get */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, got = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
