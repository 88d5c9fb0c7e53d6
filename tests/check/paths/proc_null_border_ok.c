/* expect: none */
/* At the border there is nobody: the receive does nothing there. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Irecv(buf, 4, MPI_INT, left, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        buf[0] = 7; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
