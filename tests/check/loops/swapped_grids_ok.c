/* expect: none */
/* Two grids change places after each step; the halo of one is received while the inner points of the other are computed. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double *u = calloc(n + 2, sizeof *u), *next = calloc(n + 2, sizeof *next);
    for (int t = 0; t < 100; t++) {
        MPI_Request req[4];
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &req[0]); /* A */
        MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &req[2]);
        MPI_Isend(&u[n], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &req[3]);
        for (int i = 2; i < n; i++)
            next[i] = (u[i - 1] + u[i + 1]) / 2;
        MPI_Waitall(4, req, MPI_STATUSES_IGNORE);
        next[1] = (u[0] + u[2]) / 2; /* B */
        next[n] = (u[n - 1] + u[n + 1]) / 2;
        double *swap = u;
        u = next;
        next = swap;
    }
    MPI_Finalize();
    return 0;
}
