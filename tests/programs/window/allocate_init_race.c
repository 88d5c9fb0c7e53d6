/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3 and §5: memory of Win_allocate has to be initialised before others may write it.
 *
 * The initialising store is not ordered with the other rank's put.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mem, one = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    mem[2] = 0; /* B */
    MPI_Put(&one, 1, MPI_INT, 1 - rank, 2, 1, MPI_INT, win); /* A */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
