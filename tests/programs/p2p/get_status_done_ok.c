/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: Request_get_status with flag = true says that the operation is complete, without
 * freeing the request.
 *
 * The load comes when the status says complete; the Wait only frees the request.
 */
#include <mpi.h>

static int data[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int flag = 0;
    if (rank == 0) {
        MPI_Send(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        while (!flag)
            MPI_Request_get_status(req, &flag, MPI_STATUS_IGNORE);
        seen = data[1];
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
