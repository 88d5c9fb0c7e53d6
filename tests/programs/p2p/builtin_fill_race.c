/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §2: a fill of 16 bytes, which compilers make one or two stores of, while they are being sent.
 */
#include <mpi.h>

static long pair[2] = {1, 2};

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request req;
        MPI_Isend(pair, 2, MPI_LONG, 1, 0, MPI_COMM_WORLD, &req); /* A */
        __builtin_memset(pair, 0, sizeof pair); /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(pair, 2, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
