/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: a receive writes its buffer until it is complete, and a send reads it.
 *
 * Loads and stores of 10 and 32 bytes are accesses like those of 1, 2, 4, 8 and 16.
 * They come after the messages are complete.
 */
#include <mpi.h>

typedef double row __attribute__((vector_size(32)));

static _Alignas(32) row rows[2];
static long double exact[2];
double total;

int main(int argc, char **argv)
{
    int rank;
    row sum = {0};
    MPI_Request requests[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&rows[1], 4, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&exact[0], 2, MPI_LONG_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rows[0], 4, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[2]);
    long double got[2];
    MPI_Recv(got, 2, MPI_LONG_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    sum += rows[1];
    exact[1] = 1;
    total = sum[0];
    MPI_Finalize();
    return total != 0;
}
