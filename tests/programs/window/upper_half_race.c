/* ranks: 4 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: a window over half of the ranks; its fence orders those only, and its ranks count
 * from 0.
 *
 * World rank 3 stores while the epoch of world rank 2's put to it is open.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    if (rank >= 2) {
        int value = rank;
        MPI_Win win;
        MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, half, &win);
        MPI_Win_fence(0, win);
        if (rank == 2)
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        if (rank == 3)
            mem[0] = 1; /* B */
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
