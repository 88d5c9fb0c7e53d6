/* expect: none */
/* A recursive function writes all elements of the buffer. */
#include <mpi.h>

static int buf[8];

static void fill(int *p, int count)
{
    if (count == 0)
        return;
    p[0] = count; /* B */
    fill(p + 1, count - 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    fill(buf, 8);
    MPI_Finalize();
    return 0;
}
