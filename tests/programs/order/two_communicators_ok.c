/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: messages match within their communicator; equal tags on another one are other
 * messages.
 *
 * The message received was sent on MPI_COMM_WORLD, after the put.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm dup;
    MPI_Request request; /* the receives come in the other order, so the first send must not wait for its own */
    int one = 1, seen = 0, token = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Isend(&token, 1, MPI_INT, 1, 0, dup, &request);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Comm first = MPI_COMM_WORLD, second = dup;
        MPI_Recv(&token, 1, MPI_INT, 0, 0, first, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
        MPI_Recv(&token, 1, MPI_INT, 0, 0, second, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&dup);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
