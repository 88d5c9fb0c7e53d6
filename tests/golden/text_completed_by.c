/* The text names the call that completes the operation, also one of long ago: the ring of the last calls has forgotten the first race by
 * the end. A flush of another target, of another window, and MPI_Win_flush_local complete nothing. */
/* expect: remote-race 29 39 */
/* says: the put completes at rank 0's MPI_Win_flush (text_completed_by.c:33); no message, barrier or other synchronisation orders that with the store of rank 1, in either direction */
/* says-not: text_completed_by.c:30 */
/* says-not: text_completed_by.c:31 */
/* says: synchronise the two ranks after the MPI_Win_flush and before the store, e.g. by MPI_Barrier or a message */
/* checks: compiled in */
/* ranks: 3 */
#include <mpi.h>

enum { TURNS = 400 };

int main(int argc, char **argv)
{
    int rank, *memory, *other_memory, value = 1;
    MPI_Win win, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(TURNS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &other_memory, &other);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, other);
    for (int i = 0; i < TURNS; i++) {
        if (rank != 0)
            continue;
        if (i == 0)
            MPI_Win_sync(win);
        MPI_Put(&value, 1, MPI_INT, 1, i, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Win_flush(1, other);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Win_flush_all(win);
    }
    MPI_Win_unlock_all(other);
    if (rank == 1)
        for (int i = 0; i < TURNS; i++)
            memory[i] = 2;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_free(&other);
    MPI_Finalize();
    return 0;
}
