/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: Wait completes its own request only.
 *
 * The program waits for the second receive and reads the buffer of the first.
 */
#include <mpi.h>

static int first[2], second[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    if (rank == 0) {
        MPI_Send(first, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(second, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(first, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]); /* A */
        MPI_Irecv(second, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Wait(&req[1], MPI_STATUS_IGNORE);
        seen = first[0]; /* B */
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
