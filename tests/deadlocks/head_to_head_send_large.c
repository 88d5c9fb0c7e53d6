/* MPI need not buffer.
 * ranks: 3
 * stuck: 0 MPI_Send 16
 * stuck: 1 MPI_Send 16
 * stuck: 2 MPI_Send 16
 * cycle: 0 1 2 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, n = 1 << 22;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *out = calloc(n, sizeof *out), *in = calloc(n, sizeof *in);
    MPI_Send(out, n, MPI_DOUBLE, (rank + 1) % 3, 7, MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_DOUBLE, (rank + 2) % 3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
