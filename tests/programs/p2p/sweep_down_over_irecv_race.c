/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the receive buffer must not be read before completion, whatever else the loop reads.
 *
 * The sweep goes over the whole array, downwards, while the middle is being received.
 */
#include <mpi.h>

enum { N = 100000, MIDDLE = N / 2 };
static double data[N];

int main(int argc, char **argv)
{
    int rank;
    double sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request req;
        MPI_Irecv(&data[MIDDLE], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); /* A */
        for (int i = N - 1; i >= 0; i--)
            sum += data[i]; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(data, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum > 0;
}
