/* expect: none */
/* The branch after a Test says whether it is done. */
#include <mpi.h>

static int buf[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int flag;
    MPI_Irecv(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Test(&req, &flag, MPI_STATUS_IGNORE);
    if (flag)
        seen = buf[0]; /* B */
    if (!flag)
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
