/* expect: local-race A B */
/* A switch on the same value decides twice. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    switch (argc) {
    case 1:
        MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        break;
    case 2:
        buf[1] = 4;
        break;
    }
    if (argc == 1)
        buf[0] = 7; /* B */
    if (argc == 1)
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
