/* expect: none */
/* Buffer and request are members of a struct on the heap. */
#include <mpi.h>
#include <stdlib.h>

struct channel {
    MPI_Request request;
    int *data;
};
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct channel *c = malloc(sizeof *c);
    c->data = malloc(64);
    MPI_Irecv(c->data, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &c->request); /* A */
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);
    seen = c->data[3]; /* B */
    free(c->data);
    free(c);
    MPI_Finalize();
    return 0;
}
