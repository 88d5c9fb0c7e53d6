/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/* expect: local-race A C */
/* expect: local-race A D */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * Three loads before Wait whose values nobody needs: never used, used for another that is never
 * used, and overwritten. No optimiser keeps them.
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
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        int parity = data[0] % 2; /* B */
        int first = data[1]; /* C */
        int next = first + 1;
        int last = data[3]; /* D */
        last = 2;
        (void)parity, (void)next;
        seen = last;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
