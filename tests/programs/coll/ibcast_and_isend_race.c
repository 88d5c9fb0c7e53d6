/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §5: what the Bcast does with its buffer depends on the rank.
 *
 * Rank 1 sends the buffer that the Bcast is writing there.
 */
#include <mpi.h>

static int data[2], in[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int sender = 1;
    MPI_Ibcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD, &req[0]); /* A */
    if (rank == sender)
        MPI_Isend(data, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &req[1]); /* B */
    else
        MPI_Irecv(in, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &req[1]);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
