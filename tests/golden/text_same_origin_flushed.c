/* Again and again with a flush behind the get: only the put is not over when the get is issued. */
/* expect: remote-race 17 18 */
/* says: the put is over at its target only at MPI_Win_flush or MPI_Win_unlock at the origin, and that did not come before rank 0 issued the get of the same bytes */
/* says-not: the get is over */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, got[2] = {0, 0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Get(&got[i], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
