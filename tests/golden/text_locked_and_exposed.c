/* Two gets are told apart by their ranks. */
/* expect: usage 18 23 */
/* ranks: 3 */
/* says: the get of rank 0 is in a lock epoch, the get of rank 2 in one of MPI_Win_fence or MPI_Win_post */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 2)
        MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
