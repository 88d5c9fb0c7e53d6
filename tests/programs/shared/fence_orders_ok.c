/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: a fence orders all with all, and includes what Win_sync does.
 *
 * A fence lies between them.
 */
#include <mpi.h>

volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, unit;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 1, &size, &unit, &other);
    MPI_Win_fence(0, win);
    if (rank == 1)
        mine[0] = 1; /* A */
    MPI_Win_fence(0, win);
    if (rank == 0)
        seen = other[0]; /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
