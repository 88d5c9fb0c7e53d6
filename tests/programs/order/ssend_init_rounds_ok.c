/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: the reverse edge of a persistent synchronous send, in its second round.
 *
 * The put is between the two receives.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int one = 1, seen = 0, token = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(0, win);
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend_init(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&req);
            MPI_Wait(&req, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&req);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
