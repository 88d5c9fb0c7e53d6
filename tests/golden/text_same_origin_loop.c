/* A put and a get of the same bytes by one rank, again and again without a flush: each of the two is not over when the other is issued,
 * and no text may say that only one is. */
/* expect: remote-race 19 20 */
/* expect: remote-race 19 19 */
/* says: both operations of rank 0 were under way at the same time */
/* says: and neither came before the other was issued */
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
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
