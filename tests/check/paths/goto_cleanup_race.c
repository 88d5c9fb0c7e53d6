/* expect: local-race A B */
/* expect: usage A A */
/* A jump to the end passes the wait by. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    if (argc > 3)
        goto done;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    done:
    buf[0] = 7; /* B */
    MPI_Finalize();
    return 0;
}
