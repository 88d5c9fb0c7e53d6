/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a derived datatype covers its type map, not its extent.
 *
 * The store hits the second block of the vector in flight.
 */
#include <mpi.h>

static int data[12];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Isend(data, 1, column, 1, 0, MPI_COMM_WORLD, &req); /* A */
        data[4] = 1; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
