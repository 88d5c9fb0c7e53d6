/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §5, cell load/put: a put may not meet a load of the same window bytes.
 *
 * Nothing orders rank 0's unlock with rank 1's load.
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
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_unlock(1, win);
    }
    if (rank == 1)
        seen = mem[0]; /* B */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
