/* expect: none */
/* One function starts, another fills the buffer, a third waits. */
#include <mpi.h>

static int buf[16];

static void start(int *data, MPI_Request *req)
{
    MPI_Isend(data, 16, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
}

static void fill(int *data, int count)
{
    for (int i = 0; i < count; i++)
        data[i] = i; /* B */
}

static void finish(MPI_Request *req)
{
    MPI_Wait(req, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    start(buf, &req);
    finish(&req);
    fill(buf, 16);
    MPI_Finalize();
    return 0;
}
