/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: messages over an intercommunicator order like any others.
 *
 * The message goes from the writer to the reader.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm inter;
    int token = 0;
    int sender = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 0, &inter);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    if (rank == sender)
        MPI_Send(&token, 1, MPI_INT, 0, 0, inter);
    else
        MPI_Recv(&token, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&inter);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
