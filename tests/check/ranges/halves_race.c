/* expect: local-race A B */
/* Two receives into one buffer: overlapping, or its two halves. */
#include <mpi.h>

enum { N = 100 };
static int buf[2 * N];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[2];
    MPI_Irecv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Irecv(buf + N / 2, N / 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[1]); /* B */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
