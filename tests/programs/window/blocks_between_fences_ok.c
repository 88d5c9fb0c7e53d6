/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3, §5: a fence orders the stores before it with the puts behind it, and not those that come after it.
 *
 * One small block of a window is filled in each turn, and the next turn's fence comes behind it. The other rank puts to
 * a block that is filled in another turn: before the fence, or behind it. (An even number of turns: never in the same one.)
 */
#include <mpi.h>

enum { TURNS = 6, BLOCK = 3 };

int main(int argc, char **argv)
{
    int rank;
    double *cells, block[BLOCK] = {1, 2, 3};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(TURNS * BLOCK * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_fence(0, win);
    for (int turn = 0; turn < TURNS; turn++) {
        if (rank == 1)
            for (int i = 0; i < BLOCK; i++)
                cells[turn * BLOCK + i] = turn;
        else
            MPI_Put(block, BLOCK, MPI_DOUBLE, 1, (TURNS - 1 - turn) * BLOCK, BLOCK, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
