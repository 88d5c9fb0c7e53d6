/* expect: local-race A B */
/* Requests are put one behind the other, as many as there are neighbours. */
#include <mpi.h>

static double halo[2], edge[2];

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Request req[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Irecv(&halo[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &req[n++]);
        MPI_Isend(&edge[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &req[n++]); /* A */
    }
    if (rank + 1 < size) {
        MPI_Irecv(&halo[1], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &req[n++]);
        MPI_Isend(&edge[1], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &req[n++]);
    }
    edge[0] = 1; /* B */
    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
