/* expect: local-race A B */
/* Waiting only if there is something to wait for. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req = MPI_REQUEST_NULL;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    buf[0] = 7; /* B */
    if (req != MPI_REQUEST_NULL)
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
