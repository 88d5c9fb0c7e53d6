/* A get and then a put of the same bytes by one rank: it is the get that is not over, and MPI_Win_flush_local is enough for it. */
/* expect: remote-race 18 19 */
/* says: the get is over at its target only at MPI_Win_flush, MPI_Win_flush_local or MPI_Win_unlock at the origin, and that did not come before rank 0 issued the put of the same bytes */
/* says: add MPI_Win_flush_local or MPI_Win_flush between the two */
/* says: get by rank 0 is not ordered with put by rank 0 */
/* says-not: the put is over */
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
        MPI_Get(got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
