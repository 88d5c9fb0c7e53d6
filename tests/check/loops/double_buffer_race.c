/* expect: local-race A B */
/* Two buffers in turn, each waited for before it is used again, or one round too late. */
#include <mpi.h>

static int buf[2][8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < 100; i++) {
        buf[i % 2][0] = i; /* B */
        MPI_Wait(&req[i % 2], MPI_STATUS_IGNORE);
        MPI_Isend(buf[i % 2], 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[i % 2]); /* A */
    }
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
