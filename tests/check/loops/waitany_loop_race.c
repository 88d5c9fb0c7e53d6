/* expect: local-race A B */
/* What Waitany names may be read; all of them may not. */
#include <mpi.h>

static int buf[4][8];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[4];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(buf[i], 8, MPI_INT, i, 0, MPI_COMM_WORLD, &req[i]); /* A */
    seen = buf[2][0]; /* B */
    for (int k = 0; k < 4; k++) {
        int which;
        MPI_Waitany(4, req, &which, MPI_STATUS_IGNORE);
        seen = buf[which][0];
    }
    MPI_Finalize();
    return 0;
}
