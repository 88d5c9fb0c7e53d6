/* expect: local-race A B */
/* A freed request: nobody knows when the buffer is free. */
#include <mpi.h>

static int in[8], out[8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(out, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Request_free(&req);
    out[0] = 1; /* B */
    MPI_Finalize();
    return 0;
}
