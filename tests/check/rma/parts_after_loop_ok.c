/* expect: none */
/* Each part is for one rank (semantics 5: two accesses of one process in their order, or of two
 * that touch different bytes, do not race), and the first has a loop: behind it, LLVM asks for the
 * other ranks once more. Nobody else runs what rank 1 runs. */
#include <mpi.h>

int mem[8], buffer[8], number[3] = {0, 1, 2};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win win;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        for (int seen = -1; seen != 1; MPI_Win_flush(1, win))
            MPI_Fetch_and_op(&number[0], &seen, MPI_INT, 1, 2, MPI_NO_OP, win);
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    if (rank == 1) {
        MPI_Win_lock_all(0, win);
        MPI_Accumulate(&number[1], 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        MPI_Put(&buffer[0], 1, MPI_INT, 3, 1, 1, MPI_INT, win); /* A */
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    if (rank == 2) {
        MPI_Win_lock_all(0, win);
        MPI_Put(&buffer[1], 1, MPI_INT, 3, 2, 1, MPI_INT, win); /* B */
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    if (rank == 3)
        MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
