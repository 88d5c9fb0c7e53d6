/* expect: none */
/* The handle is copied into an array and completed there. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request one, all[2];
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &one); /* A */
    all[0] = one;
    all[1] = MPI_REQUEST_NULL;
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    buf[0] = 7; /* B */
    MPI_Finalize();
    return 0;
}
