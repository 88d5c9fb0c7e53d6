/* The twin of irecv_into_send_buffer.c: the send is completed first. */
/* expect: none */
/* ranks: 4 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int row[100] = {0};
    int halo[100];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size;
    int left = (rank + size - 1) % size;
    MPI_Irecv(halo, 100, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row, 100, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(row, 50, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row + 50, 50, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
