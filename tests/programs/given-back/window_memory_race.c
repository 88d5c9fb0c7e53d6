/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §1 and §8: memory that is given back counts as stored to.
 *
 * The put is locally complete, and may still be under way when rank 0 gives the memory back.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, *row;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(4 * sizeof *row, MPI_INFO_NULL, &row);
    MPI_Win_create(row, 4 * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* A */
        MPI_Win_flush_local(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    if (rank == 0)
        MPI_Free_mem(row); /* B */
    MPI_Win_free(&win);
    if (rank == 1)
        MPI_Free_mem(row);
    MPI_Finalize();
    return 0;
}
