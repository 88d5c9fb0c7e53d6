/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * The load comes before Wait: it may see the old value, the new one, or a part of both.
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
        data[0] = 5;
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        seen = data[0]; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
