/* ranks: 2 */
/* needs: nothing */
/* expect: none */
/*
 * semantics §5: two nonblocking collectives in flight may read the same bytes but not write them.
 *
 * Both read the same input and write different results.
 */
#include <mpi.h>

static int input[2], sum[2];
static int max[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    MPI_Iallreduce(input, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req[0]); /* A */
    MPI_Iallreduce(input, max, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &req[1]);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
