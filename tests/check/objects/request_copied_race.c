/* expect: local-race A B */
/* The handle is copied into an array and completed there. */
#include <mpi.h>

static int buf[4];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request one, all[2];
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &one); /* A */
    buf[0] = 7; /* B */
    all[0] = one;
    all[1] = MPI_REQUEST_NULL;
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
