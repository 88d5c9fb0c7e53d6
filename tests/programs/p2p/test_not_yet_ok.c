/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: only a successful Test completes.
 *
 * Test is repeated after asking, until it succeeds.
 */
#include <mpi.h>
#include <stddef.h>

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
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Test(&req, &flag, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
        while (!flag)
            MPI_Test(&req, &flag, MPI_STATUS_IGNORE);
        seen = data[1];
    }
    MPI_Finalize();
    return 0;
}
