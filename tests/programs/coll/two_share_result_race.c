/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §5: two nonblocking collectives in flight may read the same bytes but not write them.
 *
 * Both write the same result.
 */
#include <mpi.h>

static int input[2], sum[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    MPI_Iallreduce(input, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Iallreduce(input, sum, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &req[1]); /* B */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
