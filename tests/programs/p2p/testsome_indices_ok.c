/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: Testsome and Testany complete the requests they name.
 *
 * It reads the buffer of request 0, which Testsome named.
 */
#include <mpi.h>
#include <stddef.h>

static int data[2][4];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int done = 0, index[2], flag = 0;
    if (rank == 0) {
        MPI_Send(data[0], 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data[1], 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data[0], 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Irecv(data[1], 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]); /* A */
        while (done == 0)
            MPI_Testsome(2, req, &done, index, MPI_STATUSES_IGNORE);
        seen = data[index[0]][0];
        MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
        while (!flag)
            MPI_Testany(2, req, index, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
