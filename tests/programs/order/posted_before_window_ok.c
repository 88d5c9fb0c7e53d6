/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a receive that was posted before the window existed takes its message like any
 * other: the next one of the channel gets the second.
 *
 * The put precedes the second send.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int one = 1, seen = 0, token = 0, early = 0;
    MPI_Win win;
    if (rank == 1)
        MPI_Irecv(&early, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Send(&early, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
