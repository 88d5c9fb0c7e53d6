/* expect: local-race A B, and the last request is never completed:
 * expect: usage A A */
/* Waitall for all requests, or for one too few. */
#include <mpi.h>

static int a[3][4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[3];
    for (int i = 0; i < 2; i++)
        MPI_Isend(a[i], 4, MPI_INT, 1, i, MPI_COMM_WORLD, &req[i]);
    MPI_Isend(a[2], 4, MPI_INT, 1, 2, MPI_COMM_WORLD, &req[2]); /* A */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    a[2][1] = 7; /* B */
    MPI_Finalize();
    return 0;
}
