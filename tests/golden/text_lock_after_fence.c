/* A window that was used with fences before, and then with locks: the texts are about locks. */
/* expect: remote-race 20 24 */
/* says: 's MPI_Win_unlock (text_lock_after_fence.c:2 */
/* says-not: MPI_Win_fence */
/* ranks: 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % 3, 3, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    } else if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        value = 0;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return value > 1;
}
