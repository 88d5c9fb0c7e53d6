/* expect: local-race A B */
/* Buffer and request are global variables. */
#include <mpi.h>
#include <stdlib.h>

static int *data;
static MPI_Request request;
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    data = malloc(64);
    MPI_Irecv(data, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* A */
    seen = data[3]; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(data);
    MPI_Finalize();
    return 0;
}
