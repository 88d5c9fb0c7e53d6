/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the origin buffer of a put must not be changed before the operation is complete.
 *
 * A row that is being put is changed, one turn after the put.
 */
#include <mpi.h>

enum { N = 1000, TURNS = 3 };
static double row[N], mem[TURNS][N];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0][0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < N; i++)
            row[i] = rank + i; /* B */
        if (rank == 0)
            MPI_Put(row, N, MPI_DOUBLE, 1, turn * N, N, MPI_DOUBLE, win); /* A */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
