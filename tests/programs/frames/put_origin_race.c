/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The origin of a put is in use until the flush, and its frame is left before.
 */
#include <mpi.h>

static void add(int value, MPI_Win win)
{
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank, *mem;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        add(argc, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
