/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Irecv writes its buffer until its request completes; what counts is what the
 * program loads and stores. A compiler keeps the sum in a register, which it loads in front of
 * the loop, whether or not the loop adds anything.
 *
 * The last value is above the limit.
 */
#include <mpi.h>
#include <stddef.h>

static int sum;
static int values[8];

__attribute__((noinline)) static void add(int n, int limit)
{
    for (int i = 0; i < n; i++)
        if (values[i] > limit)
            sum += values[i]; /* B */
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    for (int i = 0; i < 8; i++)
        values[i] = i + rank;
    if (rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &req); /* A */
        add(8, 7);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
