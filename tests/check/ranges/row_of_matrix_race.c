/* expect: local-race A B */
/* A row is sent while the loop fills the matrix from that row on, or after it. */
#include <mpi.h>

static int m[8][8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(m[3], 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    for (int i = 3; i < 8; i++)
        for (int k = 0; k < 8; k++)
            m[i][k] = i; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
