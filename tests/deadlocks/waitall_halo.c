/* A ring in which the last one sends with another tag: the first waits for it, and no longer for the one that it sends to.
 * ranks: 3
 * stuck: 0 MPI_Waitall 20
 * stuck: 1 MPI_Barrier 21
 * stuck: 2 MPI_Barrier 21
 * part: 0 MPI_Irecv 18
 * past: 0 MPI_Isend 19
 * cycle: 0 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Irecv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x, 1, MPI_INT, right, rank == 2 ? 9 : 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
