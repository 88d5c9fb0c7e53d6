/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §1: Pack is a blocking call that loads its input.
 *
 * The receive has completed.
 */
#include <mpi.h>

static int data[3];
static char packed[64];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int at = 0;
    if (rank == 0) {
        MPI_Send(data, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Pack(data, 3, MPI_INT, packed, sizeof packed, &at, MPI_COMM_WORLD); /* B */
    }
    MPI_Finalize();
    return 0;
}
