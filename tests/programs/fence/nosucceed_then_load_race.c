/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §2: a closing fence with MPI_MODE_NOSUCCEED completes like any other.
 *
 * The load comes before the closing fence.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Accumulate(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_SUM, win); /* A */
    seen = mem[0]; /* B */
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
