/* expect: local-race A B */
/* Even ranks send, odd ranks write, or even ones do. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req = MPI_REQUEST_NULL;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 0)
        MPI_Isend(buf, 4, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &req); /* A */
    if ((rank + 2) % 2 == 0)
        buf[0] = rank; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
