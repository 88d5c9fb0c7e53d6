/* expect: local-race A B */
/* Polling with Test until it is done, or only once. */
#include <mpi.h>

static int buf[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int flag = 0;
    MPI_Irecv(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Test(&req, &flag, MPI_STATUS_IGNORE);
    seen = buf[1]; /* B */
    if (!flag)
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
