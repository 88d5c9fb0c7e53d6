/* expect: nothing */
/* The handle moves from a scratch variable into an array; that the variable is used again loses nothing. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Request scratch;
    MPI_Init(&argc, &argv);
    int n = argc + 3;
    double *buf = malloc((size_t)n * 10 * sizeof *buf);
    MPI_Request *all = malloc((size_t)n * sizeof *all);
    for (int i = 0; i < n; i++) {
        MPI_Irecv(buf + i * 10, 10, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, &scratch);
        all[i] = scratch;
    }
    MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 10 * n; i++)
        buf[i] = 1.0;
    free(all);
    free(buf);
    MPI_Finalize();
    return 0;
}
