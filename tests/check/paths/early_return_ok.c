/* expect: none */
/* One way out of a branch skips the wait. */
#include <mpi.h>

static int buf[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Irecv(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    if (argc < 3)
        seen = buf[0]; /* B */
    MPI_Finalize();
    return 0;
}
