/* The buffer of a put lies in another rank's segment, and its owner receives into it. */
/* expect: shared-window 25 30 */
/* says: "kind": "put" */
/* says: "kind": "recv" */
/* says: the buffer of MPI_Put by rank 0 */
/* says: MPI reads the buffer of rank 0's MPI_Put until its epoch is closed or flushed */
/* says: orders all of that with the MPI_Recv of rank 1 */
/* says: complete the MPI_Put (MPI_Win_flush_local or the end of its epoch), then synchronise the two ranks before the MPI_Recv */
/* ranks: 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *mine, *other, memory[4] = {0}, token = 0, unit;
    MPI_Aint size;
    MPI_Win shared, win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(64, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &shared);
    MPI_Win_shared_query(shared, 1, &size, &unit, &other);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, shared);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(other, 4, MPI_INT, 2, 0, 4, MPI_INT, win);
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Win_flush_local(2, win);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(mine, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_unlock_all(shared);
    MPI_Win_free(&win);
    MPI_Win_free(&shared);
    MPI_Finalize();
    return 0;
}
