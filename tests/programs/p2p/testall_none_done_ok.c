/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: an unsuccessful Testall completes none of its requests, even if one of them could
 * be.
 *
 * The first buffer is read after Testall has succeeded.
 */
#include <mpi.h>
#include <stddef.h>

static int first[2], second[2];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int flag = 0;
    if (rank == 0) {
        MPI_Send(first, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(second, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(first, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]); /* A */
        MPI_Irecv(second, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Testall(2, req, &flag, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
        while (!flag)
            MPI_Testall(2, req, &flag, MPI_STATUSES_IGNORE);
        seen = first[0];
    }
    MPI_Finalize();
    return 0;
}
