/* expect: local-race A A */
/* Blocks of ten, ten apart, or only eight apart. */
#include <mpi.h>

static int buf[100];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[10];
    for (int i = 0; i < 10; i++)
        MPI_Irecv(buf + 8 * i, 10, MPI_INT, 0, i, MPI_COMM_WORLD, &req[i]); /* A */
    MPI_Waitall(10, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
