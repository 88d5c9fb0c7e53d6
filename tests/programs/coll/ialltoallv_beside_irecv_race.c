/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: Alltoallv writes block i where displacement i says.
 *
 * The Irecv takes element 3, which is in the block from rank 1.
 */
#include <mpi.h>

static int out[4], in[6];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int counts[2] = {2, 2}, from[2] = {0, 2}, to[2] = {0, 3}, peer = 1 - rank;
    MPI_Ialltoallv(out, counts, from, MPI_INT, in, counts, to, MPI_INT, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Irecv(in + 3, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &req[1]); /* B */
    MPI_Send(out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
