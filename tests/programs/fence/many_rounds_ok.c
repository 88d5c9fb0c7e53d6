/* ranks: 4 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: double buffering over fences; each round reads one half while the other is
 * written.
 *
 * The halves alternate.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, right = (rank + 1) % 4;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int round = 0; round < 4; round++) {
        int write = round % 2, read = 1 - write;
        MPI_Put(&value, 1, MPI_INT, right, write, 1, MPI_INT, win); /* A */
        seen = mem[read]; /* B */
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
