/* MPI_Win_detach keeps no buffer and has no request: it takes memory out of the window. */
/* expect: remote-race 27 34 */
/* says: put by rank 1 is not ordered with MPI_Win_detach by rank 0 */
/* says: detaches the same bytes */
/* says: complete the put (MPI_Win_flush or MPI_Win_unlock) and synchronise the two ranks before the MPI_Win_detach */
/* says-not: buffer of MPI_Win_detach */
/* says-not: on its request */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1;
    static int row[4];
    MPI_Win win;
    MPI_Aint there = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_attach(win, row, sizeof row);
        MPI_Get_address(row, &there);
    }
    MPI_Bcast(&there, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&value, 1, MPI_INT, 0, there, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_flush(0, win);
    if (rank == 0)
        MPI_Win_detach(win, row);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
