/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §2: freeing a datatype does not end the communication that uses it (MPI-4.0
 * §5.1.9).
 *
 * The type is gone, the receive is not: the store is in its second block.
 */
#include <mpi.h>

static int data[6];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Datatype pairs;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Type_vector(2, 2, 4, MPI_INT, &pairs);
        MPI_Type_commit(&pairs);
        MPI_Irecv(data, 1, pairs, 0, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Type_free(&pairs);
        data[5] = 1; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
