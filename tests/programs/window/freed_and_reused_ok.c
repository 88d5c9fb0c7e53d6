/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: after Win_free the memory may become part of a new window; nothing of the old one
 * is left.
 *
 * In the second window nobody puts; the put of the first one is over.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    for (int round = 0; round < 2; round++) {
        MPI_Win win;
        MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_fence(0, win);
        if (rank == 0 && round == 0)
            MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        if (rank == 1 && round == 1)
            mem[0] = 2; /* B */
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
    }
    MPI_Finalize();
    return 0;
}
