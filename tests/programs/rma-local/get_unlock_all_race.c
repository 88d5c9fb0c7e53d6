/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: Win_unlock_all completes everything its epoch issued.
 *
 * The result is loaded inside the epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
    if (rank == 1)
        seen = value; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
