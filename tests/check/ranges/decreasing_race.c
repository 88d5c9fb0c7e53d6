/* expect: local-race A B */
/* A loop that runs downwards stops before the block in use, or in it. */
#include <mpi.h>

static int buf[100];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    for (int i = 99; i >= 9; i--)
        buf[i] = i; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
