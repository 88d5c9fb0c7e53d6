/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §4: a put to one's own window is an RMA operation like any other.
 *
 * A flush comes between.
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
    MPI_Win_lock_all(0, win);
    MPI_Put(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, win); /* A */
    MPI_Win_flush(rank, win);
    seen = mem[0]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
