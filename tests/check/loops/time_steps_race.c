/* expect: local-race A B */
/* Requests of one time step are completed in the next one, before or after the buffer is packed. */
#include <mpi.h>

static double out[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req = MPI_REQUEST_NULL;
    for (int step = 0; step < 1000; step++) {
        for (int i = 0; i < 64; i++)
            out[i] = step + i; /* B */
        if (step > 0)
            MPI_Wait(&req, MPI_STATUS_IGNORE);
        MPI_Isend(out, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &req); /* A */
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
