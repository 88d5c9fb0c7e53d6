/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Imrecv writes its buffer until its request completes, although the message has
 * already been matched.
 *
 * The load precedes the Wait.
 */
#include <mpi.h>

static int data[4];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Message message;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(data, 4, MPI_INT, &message, &req); /* A */
        seen = data[3]; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
