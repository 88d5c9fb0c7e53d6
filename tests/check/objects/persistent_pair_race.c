/* expect: local-race A B */
/* Two persistent receives into one buffer, started together. */
#include <mpi.h>

static int in[16];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[2];
    MPI_Recv_init(in, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req[0]);
    MPI_Recv_init(in + 4, 8, MPI_INT, 1, 1, MPI_COMM_WORLD, &req[1]);
    MPI_Start(&req[0]); /* A */
    MPI_Start(&req[1]); /* B */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Request_free(&req[0]);
    MPI_Request_free(&req[1]);
    MPI_Finalize();
    return 0;
}
