/* A put and then a get of the same bytes by one rank. The target does not know which came first: no text may say. */
/* expect: remote-race 20 21 */
/* says: both operations of rank 0 were under way at the same time */
/* says: and neither came before the other was issued */
/* says: MPI_Win_flush_local completes no put or accumulate at the target */
/* says: "created_at": { */
/* says: "call": "MPI_Win_allocate" */
/* says: window made at text_same_origin.c:17 offset 0 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, got = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
