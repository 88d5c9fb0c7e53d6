/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: only a completion of its own request frees a buffer; a barrier orders processes,
 * it completes no send.
 *
 * The send is completed as well.
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
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    if (rank == 0)
        data[1] = 5; /* B */
    MPI_Finalize();
    return 0;
}
