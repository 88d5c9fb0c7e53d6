/* expect: none */
/* The memory is given back behind the wait; before it only that of others. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int *out = malloc(64 * sizeof *out), *in = malloc(64 * sizeof *in), *spare = malloc(64);
    MPI_Request requests[2];
    for (int step = 0; step < 3; step++) {
        int *each = malloc(64);
        MPI_Isend(out, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + 32, 32, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
        each[0] = spare[step];
        free(each);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    free(spare);
    in = realloc(in, 100 * sizeof *in);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
