/* ranks: 2 */
/* needs: cc */
/* mpi: mpich */
/* expect: local-race A B */
/*
 * semantics §1: a partitioned send reads partition i only from Pready(i) to completion.
 *
 * The store goes to partition 0, which has been marked ready.
 */
#include <mpi.h>

static double data[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Psend_init(data, 2, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req);
        data[0] = 1.0;
        MPI_Pready(0, req); /* A */
        data[3] = 2.0; /* B */
        MPI_Pready(1, req);
    } else {
        MPI_Precv_init(data, 2, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Request_free(&req);
    MPI_Finalize();
    return 0;
}
