/* expect: none */
/* The buffer comes out of a function. */
#include <mpi.h>
#include <stdlib.h>

volatile int seen;

static int *make(int count)
{
    int *data = malloc(count * sizeof *data);
    for (int i = 0; i < count; i++)
        data[i] = 0;
    return data;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int *data = make(16);
    MPI_Irecv(data, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    seen = data[15]; /* B */
    free(data);
    MPI_Finalize();
    return 0;
}
