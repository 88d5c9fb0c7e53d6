/* expect: none */
/* memset clears what is being received, or what follows it. */
#include <mpi.h>
#include <string.h>

static char buf[100];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Irecv(buf, 40, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &req); /* A */
    memset(buf + 40, 0, 60); /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
