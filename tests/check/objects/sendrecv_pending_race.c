/* expect: local-race A B */
/* A blocking Sendrecv receives into what is being sent. */
#include <mpi.h>

static int buf[4], out[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Sendrecv(out, 4, MPI_INT, 1, 1, buf, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
