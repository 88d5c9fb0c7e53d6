/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §5: a receive owns exactly the bytes its count and datatype cover.
 *
 * The store hits the element right behind the receive's last one.
 */
#include <mpi.h>

static int data[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        data[4] = 9;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
