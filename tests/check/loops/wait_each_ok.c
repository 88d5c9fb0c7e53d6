/* expect: none */
/* Wait in the loop, before or after the buffer is filled again. */
#include <mpi.h>

static int buf[4];
int n = 10;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req = MPI_REQUEST_NULL;
    for (int i = 0; i < n; i++) {
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        buf[0] = i; /* B */
        MPI_Isend(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
