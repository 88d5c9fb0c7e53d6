/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a buffered send copies the data, but only the blocking Bsend has copied it when
 * the call returns.
 *
 * Bsend returns with the copy made: the buffer is free.
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
        MPI_Bsend(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        data[1] = 3; /* B */
        MPI_Buffer_detach(&old, &size);
    } else {
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
