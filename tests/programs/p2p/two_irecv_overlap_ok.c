/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §5: two receives in flight may not share a byte.
 *
 * The second receive starts one element further.
 */
#include <mpi.h>

static int data[9];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    if (rank == 0) {
        MPI_Send(data, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]); /* A */
        MPI_Irecv(data + 5, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
