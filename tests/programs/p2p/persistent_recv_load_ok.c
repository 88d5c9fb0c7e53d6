/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a started persistent receive writes its buffer until it completes; several are
 * started by Startall.
 *
 * Waitall has completed both requests.
 */
#include <mpi.h>

static int left[2], right[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    if (rank == 0) {
        MPI_Send(left, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(right, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(left, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Recv_init(right, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Startall(2, req); /* A */
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
        seen = left[0];
        seen = right[0]; /* B */
        MPI_Request_free(&req[0]);
        MPI_Request_free(&req[1]);
    }
    MPI_Finalize();
    return 0;
}
