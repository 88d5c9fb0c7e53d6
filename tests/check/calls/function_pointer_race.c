/* expect: local-race A B */
/* The function that writes is reached through a pointer. */
#include <mpi.h>

static int buf[4];
volatile int seen;

static void clear(int *p)
{
    p[0] = 0; /* B */
}

static void count(int *p)
{
    seen = p[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    void (*step)(int *) = argc > 1 ? clear : count;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    step(buf);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
