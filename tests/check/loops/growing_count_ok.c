/* expect: none */
/* Requests counted as they are made: nreq++ and one Waitall. */
#include <mpi.h>

static int left[4], right[4];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[8];
    int nreq = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        MPI_Irecv(left, 4, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &req[nreq++]); /* A */
    if (rank < 3)
        MPI_Irecv(right, 4, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &req[nreq++]);
    MPI_Waitall(nreq, req, MPI_STATUSES_IGNORE);
    if (rank > 0)
        seen = left[0]; /* B */
    MPI_Finalize();
    return 0;
}
