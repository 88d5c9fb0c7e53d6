/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: Waitsome may complete fewer requests than were given to it.
 *
 * Waitsome is called until both messages have arrived.
 */
#include <mpi.h>
#include <stddef.h>

static int data[2][2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int done, index[2];
    if (rank == 0) {
        MPI_Irecv(data[0], 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Irecv(data[1], 2, MPI_INT, 2, 0, MPI_COMM_WORLD, &req[1]); /* A */
        MPI_Waitsome(2, req, &done, index, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Waitsome(2, req, &done, index, MPI_STATUSES_IGNORE);
        seen = data[1][1];
    } else {
        if (rank == 2)
            MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
