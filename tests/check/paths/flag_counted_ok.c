/* expect: nothing */
/* The flag is asked twice, for a counter and for the loop. */
#include <mpi.h>

static int successes;

static void poll(double *buf, int n)
{
    MPI_Request request;
    int done = 0;
    MPI_Irecv(buf, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            successes++;
    }
    buf[0] = 2.0;
}

int main(int argc, char **argv)
{
    double buf[10];
    MPI_Init(&argc, &argv);
    poll(buf, 10);
    MPI_Finalize();
    return successes > 1;
}
