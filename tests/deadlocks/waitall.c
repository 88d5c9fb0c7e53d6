/* Each sends to the next and waits for two messages, of which one never comes.
 * ranks: 3
 * stuck: 0 MPI_Waitall 21
 * stuck: 1 MPI_Waitall 21
 * stuck: 2 MPI_Waitall 21
 * part: 0 MPI_Irecv 19
 * past: 0 MPI_Irecv 18
 * cycle: 0 1 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Irecv(&y[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&y[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
