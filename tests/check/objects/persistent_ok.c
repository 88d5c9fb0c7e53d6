/* expect: none */
/* A persistent send is started in each step; the buffer is packed before or after the wait. */
#include <mpi.h>

static int out[8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Send_init(out, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    for (int step = 0; step < 5; step++) {
        out[0] = step; /* B */
        MPI_Start(&req); /* A */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&req);
    MPI_Finalize();
    return 0;
}
