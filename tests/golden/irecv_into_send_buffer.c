/* A receive is started into a buffer that a send still reads. */
/* expect: local-race 17 18 */
/* says: give the two calls different memory. To complete the MPI_Isend before the MPI_Irecv would do as well, but not if the other rank does the same: then each waits for the other. */
/* ranks: 4 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int row[100] = {0};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size;
    int left = (rank + size - 1) % size;
    MPI_Isend(row, 100, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row, 100, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
