/* expect: local-race A B */
/* The flag is asked twice, for a counter and for what to do: the wrong way round. */
#include <mpi.h>

static int successes;

static void poll(double *buf, int n)
{
    MPI_Request request;
    int done = 0;
    MPI_Irecv(buf, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done)
        successes++;
    if (!done) {
        buf[0] = 2.0; /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    double buf[10];
    MPI_Init(&argc, &argv);
    poll(buf, 10);
    MPI_Finalize();
    return successes > 1;
}
