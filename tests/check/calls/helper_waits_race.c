/* expect: local-race A B */
/* A helper function waits, or does something else. */
#include <mpi.h>

static int buf[4];
volatile int seen;

static void finish(MPI_Request *req)
{
    MPI_Wait(req, MPI_STATUS_IGNORE);
}

static void report(int number)
{
    seen = number;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    report(1);
    buf[0] = 7; /* B */
    finish(&req);
    MPI_Finalize();
    return 0;
}
