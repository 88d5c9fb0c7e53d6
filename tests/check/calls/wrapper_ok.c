/* expect: none */
/* The program has wrappers of its own around MPI. */
#include <mpi.h>

static int buf[4];

typedef struct {
    MPI_Request request;
    int peer;
} comm_handle;

static comm_handle comm_isend(const int *data, int count, int peer)
{
    comm_handle handle = {.peer = peer};
    MPI_Isend(data, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &handle.request); /* A */
    return handle;
}

static void comm_wait(comm_handle *handle)
{
    MPI_Wait(&handle->request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comm_handle h = comm_isend(buf, 4, 1);
    comm_wait(&h);
    buf[3] = 1; /* B */
    MPI_Finalize();
    return 0;
}
