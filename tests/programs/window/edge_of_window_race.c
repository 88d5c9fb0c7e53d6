/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §1: memory beside a window is not part of it.
 *
 * The owner stores into the last element of its window.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 3, 1, MPI_INT, win); /* A */
    else
        mem[3] = 2; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
