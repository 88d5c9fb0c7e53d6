/* expect: local-race A B */
/* The number of elements to be sent is kept in one variable for all neighbours. */
#include <mpi.h>
#include <stdlib.h>

void announce_all(const int *starts, const int *procs, int n)
{
    int length;
    MPI_Request *req = malloc(n * sizeof *req);
    for (int i = 0; i < n; i++) {
        length = starts[i + 1] - starts[i]; /* B */
        MPI_Isend(&length, 1, MPI_INT, procs[i], 0, MPI_COMM_WORLD, &req[i]); /* A */
    }
    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);
    free(req);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc;
    int *starts = malloc((n + 1) * sizeof *starts), *procs = malloc(n * sizeof *procs);
    for (int i = 0; i < n; i++) {
        starts[i] = 10 * i;
        procs[i] = i % 2;
    }
    starts[n] = 10 * n;
    announce_all(starts, procs, n);
    MPI_Finalize();
    return 0;
}
