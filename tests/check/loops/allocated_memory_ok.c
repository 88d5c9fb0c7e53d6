/* The origin of an accumulate, in memory of MPI_Alloc_mem, is filled anew when the last one is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *origin, *base, rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(8 * sizeof(int), MPI_INFO_NULL, &origin);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (rank == 1)
        for (int i = 0; i < 100; i++) {
            origin[0] = i;
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
            MPI_Accumulate(origin, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_unlock(0, win);
        }
    MPI_Win_free(&win);
    MPI_Free_mem(origin);
    MPI_Finalize();
    return 0;
}
