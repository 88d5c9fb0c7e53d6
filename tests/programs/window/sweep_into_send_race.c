/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a nonblocking send reads its buffer until it is complete, also if that is window memory, through which the
 * program sweeps element by element.
 *
 * The sweep reaches the buffer.
 */
#include <mpi.h>

static _Alignas(64) int mem[64];

int main(int argc, char **argv)
{
    int rank, got[4] = {0}, behind = 33;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 16; i++)
        mem[i] = i;
    if (rank == 0) {
        MPI_Isend(mem + 32, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        for (volatile int i = 0; i < behind; i++)
            mem[i] = 7; /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(got, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
