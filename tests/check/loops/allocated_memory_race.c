/* expect: local-race A B */
/* The origin of an accumulate, in memory of MPI_Alloc_mem, is filled anew while the last one may still be read. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *origin, *base, rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(8 * sizeof(int), MPI_INFO_NULL, &origin);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        for (int i = 0; i < 100; i++) {
            origin[0] = i; /* B */
            MPI_Accumulate(origin, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /* A */
        }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Free_mem(origin);
    MPI_Finalize();
    return 0;
}
