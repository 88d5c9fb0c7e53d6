/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: a receive completes while a wildcard that was posted before it has its message, but is not waited for.
 *
 * Rank 1 sends both messages before its put.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, tokens[2] = {0};
    MPI_Request requests[2];
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Irecv(&tokens[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&tokens[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* B */
        MPI_Win_flush(0, win);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&tokens[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&tokens[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
