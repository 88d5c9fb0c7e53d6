/* A put and then a get of the same bytes by one rank: it is the put that is not over. The target, which finds the race, does not know
 * which came first; the last calls of the origin tell. MPI_Win_flush_local does not complete a put at its target. */
/* expect: remote-race 22 24 */
/* says: the put is over at its target only at MPI_Win_flush or MPI_Win_unlock at the origin, and that did not come before rank 0 issued the get of the same bytes */
/* says: put by rank 0 is not ordered with get by rank 0 */
/* says-not: the get is over */
/* says: MPI_Win_flush_local completes no put or accumulate at the target */
/* says: "created_at": { */
/* says: "call": "MPI_Win_allocate" */
/* says: window made at text_same_origin.c:19, offset 0 */
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
        MPI_Win_flush_local(1, win);
        MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
