/* expect: local-race A A */
/* The same buffer is posted again in the next iteration before its wait. */
#include <mpi.h>

static int buf[50];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[10];
    for (int i = 0; i < 10; i++)
        MPI_Irecv(buf, 5, MPI_INT, 0, i, MPI_COMM_WORLD, &req[i]); /* A */
    MPI_Waitall(10, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
