/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: only a completion of its own request frees a buffer; a barrier orders processes,
 * it completes no send.
 *
 * The send buffer is reused after a barrier that follows the matching receive.
 */
#include <mpi.h>

static int data[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_Isend(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    else
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        data[1] = 5; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
