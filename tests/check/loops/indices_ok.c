/* expect: none */
/* Each neighbour's part of the buffer starts where an array of indices says. */
#include <mpi.h>
#include <stdlib.h>

void receive_all(double *data, const int *starts, const int *procs, int n)
{
    MPI_Request *req = malloc(n * sizeof *req);
    for (int i = 0; i < n; i++)
        MPI_Irecv(&data[starts[i]], starts[i + 1] - starts[i], MPI_DOUBLE, procs[i], 0, MPI_COMM_WORLD, &req[i]);
    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);
    free(req);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc;
    int *starts = malloc((n + 1) * sizeof *starts), *procs = malloc(n * sizeof *procs);
    double *data = malloc(1000 * sizeof *data);
    for (int i = 0; i < n; i++) {
        starts[i] = 10 * i;
        procs[i] = i % 2;
    }
    starts[n] = 10 * n;
    receive_all(data, starts, procs, n);
    MPI_Finalize();
    return 0;
}
