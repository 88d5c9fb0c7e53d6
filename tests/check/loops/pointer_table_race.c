/* expect: local-race A B */
/* Every iteration fills and sends the first buffer of the table. */
#include <mpi.h>
#include <stdlib.h>

static int *table[2];
static MPI_Request requests[2];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    table[0] = malloc(8 * sizeof(int));
    table[1] = malloc(8 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        table[0][0] = i; /* B */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Isend(table[0], 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[i]); /* A */
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
