/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a buffered send orders like any other, from the send to the receive only.
 *
 * The put precedes the Bsend.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static char room[256 + MPI_BSEND_OVERHEAD];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, token = 0, size;
    void *old;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Bsend(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Buffer_detach(&old, &size);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
