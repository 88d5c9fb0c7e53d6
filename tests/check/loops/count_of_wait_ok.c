/* expect: nothing */
/* A loop between start and completion runs as often as there are requests, behind the buffers. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc + 3;
    double *buf = malloc((size_t)n * 11 * sizeof *buf);
    MPI_Request *all = malloc((size_t)n * sizeof *all);
    for (int i = 0; i < n; i++)
        MPI_Irecv(buf + i * 10, 10, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, &all[i]);
    for (int i = 0; i < n; i++)
        buf[10 * n + i] = 1.0;
    MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
