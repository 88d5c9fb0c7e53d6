/* ranks: 2 */
/* mpi: mpich */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8, out of the window: bytes are exact, so the padding behind the last pair need not be in the window. Open MPI 4.1.4 corrupts its heap there, without Regatta, too.
 *
 * The window ends within the last pair's number.
 */
#include <mpi.h>

struct pair {
    double value;
    int place;
};
static struct pair memory[4];

int main(int argc, char **argv)
{
    int rank;
    MPI_Aint size = 2 * sizeof(struct pair) - 4;
    size -= 4;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct pair mine[2] = {{3, rank}, {4, rank}};
    MPI_Win win;
    MPI_Win_create(memory, size, sizeof(struct pair), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Accumulate(mine, 2, MPI_DOUBLE_INT, 1 - rank, 0, 2, MPI_DOUBLE_INT, MPI_MAXLOC, win); /* A */
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
