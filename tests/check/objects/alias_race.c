/* expect: local-race A B */
/* Two pointers to one buffer, or to two. */
#include <mpi.h>

static int a[4], b[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int *p = a;
    int *q = p + 2;
    MPI_Isend(p, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    *q = 7; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
