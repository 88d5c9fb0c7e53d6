/* expect: local-race A B */
/* One way out of a branch skips the wait. */
#include <mpi.h>

static int buf[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Irecv(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    if (argc < 3)
        seen = buf[0]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
