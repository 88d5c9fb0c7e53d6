/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Out of the window): ranks are those of the window's group.
 *
 * Rank 0 shows four.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Comm some;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &some);
    if (rank != 1) { /* rank 1 of the window is rank 2 of the world */
        MPI_Win_create(memory, (rank == 2 ? 2 : 4) * sizeof(long), sizeof(long), MPI_INFO_NULL, some, &win);
        MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
        MPI_Win_lock_all(0, win);
        if (rank == 0)
            MPI_Put(&value, 1, MPI_LONG, 0, 3, 1, MPI_LONG, win); /* A */
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
        MPI_Comm_free(&some);
    }
    MPI_Finalize();
    return 0;
}
