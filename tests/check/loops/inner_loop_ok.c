/* expect: none */
/* An inner loop posts one receive per neighbour into one scratch buffer, or into its own part. */
#include <mpi.h>

static double scratch[96];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[6];
    for (int step = 0; step < 10; step++) {
        for (int k = 0; k < 6; k++)
            MPI_Irecv(scratch + 16 * k, 16, MPI_DOUBLE, k, step, MPI_COMM_WORLD, &req[k]); /* A */
        MPI_Waitall(6, req, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
