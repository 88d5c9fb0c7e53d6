/* expect: none */
/* Codes that MPI returns are checked everywhere. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    if (MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req) != MPI_SUCCESS) /* A */
        return 1;
    if (MPI_Wait(&req, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return 1;
    buf[0] = 7; /* B */
    MPI_Finalize();
    return 0;
}
