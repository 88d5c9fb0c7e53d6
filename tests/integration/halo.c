/* The program of the projects beside it: a buffer is filled again while it is being sent (line 22), which only checks that are compiled in
 * can see. With -DMENDED the send is complete by then. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, row[64] = {0}, halo[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        MPI_Request requests[2];
        MPI_Irecv(halo, 64, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(row, 64, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef MENDED
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#else
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
        for (int i = 0; i < 64; i++)
            row[i] = halo[i] + 1;
#ifndef MENDED
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#endif
    }
    if (rank == 0)
        printf("after 4 steps: %d\n", row[0]);
    MPI_Finalize();
    return 0;
}
