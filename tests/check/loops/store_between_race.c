/* expect: local-race A B */
/* Everything is sent in one loop; the wait comes before or after the next one. */
#include <mpi.h>

static double buf[4][8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[4];
    for (int i = 0; i < 4; i++)
        MPI_Isend(buf[i], 8, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, &req[i]); /* A */
    for (int i = 0; i < 4; i++)
        buf[i][0] = i; /* B */
    for (int i = 0; i < 4; i++)
        MPI_Wait(&req[i], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
