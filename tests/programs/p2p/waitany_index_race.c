/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: Waitany completes the one request whose index it returns.
 *
 * The message of request 1 cannot have been sent yet, so Waitany returned 0; the buffer of request
 * 1 is read.
 */
#include <mpi.h>
#include <stddef.h>

static int data[2][4];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int done;
    if (rank == 0) {
        MPI_Send(data[0], 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data[1], 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data[0], 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Irecv(data[1], 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]); /* A */
        MPI_Waitany(2, req, &done, MPI_STATUS_IGNORE);
        seen = data[1 - done][0]; /* B */
        MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Waitany(2, req, &done, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
