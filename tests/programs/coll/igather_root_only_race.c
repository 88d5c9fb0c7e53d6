/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: Gather's receive buffer is significant at the root only.
 *
 * The root receives a message into the buffer that it gathers into.
 */
#include <mpi.h>

static int mine[2], all[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int receiver = 0;
    MPI_Igather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD, &req[0]); /* A */
    if (rank == receiver)
        MPI_Irecv(all, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &req[1]); /* B */
    else
        MPI_Send(mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
