/* expect: local-race A B */
/* A new buffer in each iteration, or one for all. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[10];
    int *part[10];
    int *one = malloc(40);
    for (int i = 0; i < 10; i++) {
        part[i] = one;
        one[0] = i; /* B */
        MPI_Isend(one, 10, MPI_INT, 0, i, MPI_COMM_WORLD, &req[i]); /* A */
    }
    MPI_Waitall(10, req, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 10; i++)
        free(part[i]);
    MPI_Finalize();
    return 0;
}
