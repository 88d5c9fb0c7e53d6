/* expect: none */
/* A flag remembers that a send is in progress. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int pending = 0;
    if (argc > 1) {
        MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        pending = 1;
    }
    if (pending)
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    buf[0] = 7; /* B */
    MPI_Finalize();
    return 0;
}
