/* ranks: 2 */
/* needs: nothing */
/* mpi: mpich */
/* expect: local-race A B */
/*
 * semantics §1: two persistent collectives may share buffers as long as they are not active
 * together.
 *
 * Both are started together and write the same result.
 */
#include <mpi.h>

static int input[2], result[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request sum, max;
    MPI_Allreduce_init(input, result, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
    MPI_Allreduce_init(input, result, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &max);
    MPI_Start(&sum); /* A */
    MPI_Start(&max); /* B */
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    MPI_Wait(&max, MPI_STATUS_IGNORE);
    MPI_Request_free(&sum);
    MPI_Request_free(&max);
    MPI_Finalize();
    return 0;
}
