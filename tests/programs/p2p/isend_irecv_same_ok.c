/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §5: reads of a buffer in use go together, a read and a write do not.
 *
 * The buffer is sent twice at the same time, and received into another one.
 */
#include <mpi.h>

static int out[4], in[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[4];
    int peer = 1 - rank;
    MPI_Isend(out, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Isend(out, 4, MPI_INT, peer, 1, MPI_COMM_WORLD, &req[1]);
    MPI_Irecv(in, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &req[2]);
    MPI_Irecv(in + 4, 4, MPI_INT, peer, 1, MPI_COMM_WORLD, &req[3]);
    MPI_Waitall(4, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
