/* expect: none */
/* Each rank sends its block of a table and writes its own, or the next one. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *all = malloc((size + 1) * 10 * sizeof *all);
    MPI_Isend(all + rank * 10, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    all[rank * 10 + 10] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    free(all);
    MPI_Finalize();
    return 0;
}
