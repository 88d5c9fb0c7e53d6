/* expect: none */
/* Two requests; the other one is waited for. */
#include <mpi.h>

static int a[4], b[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request one, two;
    MPI_Isend(a, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &one); /* A */
    MPI_Isend(b, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &two);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    a[0] = 7; /* B */
    MPI_Wait(&two, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
