/* expect: local-race A B */
/* MPI_IN_PLACE: the result is the input. */
#include <mpi.h>

static double sum[4];
volatile double seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Iallreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &req); /* A */
    seen = sum[0]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
