/* expect: local-race A B */
/* One scratch buffer for several neighbours whose receives are posted in branches. */
#include <mpi.h>

static double edge[32];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[2];
    int n = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        MPI_Irecv(edge, 16, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &req[n++]); /* A */
    if (rank < 7)
        MPI_Irecv(edge, 16, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &req[n++]); /* B */
    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
