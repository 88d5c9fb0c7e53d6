/* expect: local-race A B */
/* MPI_BYTE counts bytes: the last element is inside, or just behind. */
#include <mpi.h>

static int buf[10];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 10 * sizeof buf[0], MPI_BYTE, 0, 0, MPI_COMM_WORLD, &req); /* A */
    buf[9] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
