/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * The loads come behind Wait.
 */
#include <mpi.h>

static int data[4];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        int parity = data[0] % 2;
        int first = data[1];
        int next = first + 1;
        int last = data[3];
        last = 2;
        (void)parity, (void)next;
        seen = last;
    }
    MPI_Finalize();
    return 0;
}
