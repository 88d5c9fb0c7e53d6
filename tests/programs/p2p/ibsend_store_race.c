/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a buffered send copies the data, but only the blocking Bsend has copied it when
 * the call returns.
 *
 * Ibsend may still be copying until its Wait (MPI-4.0 §3.7.2); the store comes before it.
 */
#include <mpi.h>

static int data[2];
static char room[1024 + MPI_BSEND_OVERHEAD];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int size;
        void *old;
        MPI_Buffer_attach(room, sizeof room);
        MPI_Request req;
        MPI_Ibsend(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        data[1] = 3; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&old, &size);
    } else {
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
