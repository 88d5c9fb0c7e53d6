/* Each sends to the next and waits for two messages, of which one never comes.
 * ranks: 3
 * stuck: 0 MPI_Waitall 18
 * stuck: 1 MPI_Waitall 18
 * stuck: 2 MPI_Waitall 18
 * part: 0 MPI_Irecv 17
 * cycle: 0 2 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&y[0], 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&y[1], 1, MPI_INT, (rank + 1) % 3, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
