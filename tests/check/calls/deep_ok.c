/* expect: none */
/* The store is four calls away. */
#include <mpi.h>

static int buf[4];

static void fourth(int *p)
{
    *p = 1; /* B */
}

static void third(int *p)
{
    fourth(p + 1);
}

static void second(int *p)
{
    third(p + 1);
}

static void first(int *p)
{
    second(p);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    first(buf);
    MPI_Finalize();
    return 0;
}
