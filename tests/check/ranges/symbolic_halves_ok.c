/* expect: none */
/* The same with a length that only the input knows. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    int *buf = malloc(2 * n * sizeof *buf);
    MPI_Request req[2];
    MPI_Irecv(buf, n, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Irecv(buf + n, n, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]); /* B */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    free(buf);
    MPI_Finalize();
    return 0;
}
