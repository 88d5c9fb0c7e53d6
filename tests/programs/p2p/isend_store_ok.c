/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Isend reads its buffer until local completion (§2); §5: a store into a buffer that
 * MPI reads conflicts.
 *
 * The send buffer is only loaded while in flight, which the standard allows since MPI-2.2.
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
        data[2] = 5;
        MPI_Isend(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        seen = data[2];
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
